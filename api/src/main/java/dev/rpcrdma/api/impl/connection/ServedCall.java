package dev.rpcrdma.api.impl.connection;

import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.responder.IncomingCall;
import dev.rpcrdma.protocol.xdr.XdrReader;
import java.util.concurrent.TimeUnit;

/** What a service sees of a call. */
record ServedCall(RpcConnection connection, RpcService service, IncomingCall call)
    implements RpcCall {

  @Override
  public OpaqueAuth credentials() {
    return call.header().credential();
  }

  @Override
  public int xid() {
    return call.xid();
  }

  @Override
  public int program() {
    return call.header().program();
  }

  @Override
  public int version() {
    return call.header().version();
  }

  @Override
  public int procedure() {
    return call.header().procedure();
  }

  @Override
  public XdrReader arguments() {
    return call.arguments();
  }

  @Override
  public long millisLeft() {
    return TimeUnit.NANOSECONDS.toMillis(call.deadline() - System.nanoTime());
  }
}
