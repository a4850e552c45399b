package dev.rpcrdma.api.impl.connection;

import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.api.impl.call.CallInService;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.responder.IncomingCall;
import dev.rpcrdma.protocol.wire.Metadata;
import dev.rpcrdma.protocol.xdr.XdrReader;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** What a service sees of a call. */
final class ServedCall implements CallInService {

  private final RpcConnection connection;
  private final RpcService service;
  private final IncomingCall call;
  private volatile boolean answered;

  ServedCall(RpcConnection connection, RpcService service, IncomingCall call) {
    this.connection = connection;
    this.service = service;
    this.call = call;
  }

  RpcService service() {
    return service;
  }

  /** The call, which is about to be answered: what its service calls from now on is no part of it. */
  IncomingCall answering() {
    answered = true;
    return call;
  }

  @Override
  public long deadline() {
    return answered ? Long.MAX_VALUE : call.deadline();
  }

  @Override
  public RpcConnection connection() {
    return connection;
  }

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
  public Map<String, String> headers() {
    return call.metadata().length == 0 ? Map.of() : Metadata.decode(call.metadata()).headers();
  }

  @Override
  public long millisLeft() {
    return TimeUnit.NANOSECONDS.toMillis(call.deadline() - System.nanoTime());
  }
}
