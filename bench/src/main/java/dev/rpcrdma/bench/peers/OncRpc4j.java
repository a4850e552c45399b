// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.peers;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.channels.CompletionHandler;
import org.dcache.oncrpc4j.rpc.IoStrategy;
import org.dcache.oncrpc4j.rpc.OncRpcClient;
import org.dcache.oncrpc4j.rpc.OncRpcException;
import org.dcache.oncrpc4j.rpc.OncRpcProgram;
import org.dcache.oncrpc4j.rpc.OncRpcSvc;
import org.dcache.oncrpc4j.rpc.OncRpcSvcBuilder;
import org.dcache.oncrpc4j.rpc.RpcAuthTypeNone;
import org.dcache.oncrpc4j.rpc.RpcCall;
import org.dcache.oncrpc4j.rpc.RpcReply;
import org.dcache.oncrpc4j.rpc.RpcTransport;
import org.dcache.oncrpc4j.rpc.net.IpProtocolType;
import org.dcache.oncrpc4j.xdr.XdrAble;
import org.dcache.oncrpc4j.xdr.XdrDecodingStream;
import org.dcache.oncrpc4j.xdr.XdrEncodingStream;
import org.dcache.oncrpc4j.xdr.XdrVoid;

/** ONC RPC over TCP by oncrpc4j, all work on its selector's thread. */
public final class OncRpc4j implements RpcPeer {

  private static final String HOST = "127.0.0.1";
  private static final int PROGRAM = 0x200600B1;
  private static final int VERSION = 1;
  private static final int ECHO = 1;
  private static final int PUT = 2;
  private static final int GET = 3;

  private final OncRpcClient client;
  private final RpcCall calls;
  private final Opaque small = new Opaque(ByteBuffer.allocate(SMALL));
  private final Opaque large = new Opaque(ByteBuffer.allocateDirect(LARGE));

  /**
   * Connects.
   *
   * @param port of the server
   * @throws IOException if there is none
   */
  public OncRpc4j(int port) throws IOException {
    client = OncRpcClient.newBuilder().withTCP().withIoStrategy(IoStrategy.SAME_THREAD)
        .withSelectorThreadPoolSize(1).build(InetAddress.getByName(HOST), port);
    calls = new RpcCall(PROGRAM, VERSION, new RpcAuthTypeNone(), client.connect());
  }

  /**
   * Starts a server.
   *
   * @return running, on a free port
   * @throws IOException if it cannot listen
   */
  public static OncRpcSvc serve() throws IOException {
    Opaque large = new Opaque(ByteBuffer.allocateDirect(LARGE));
    OncRpcSvc server = new OncRpcSvcBuilder().withTCP().withPort(0).withBindAddress(HOST)
        .withoutAutoPublish().withSameThreadIoStrategy().withSelectorThreadPoolSize(1)
        .withRpcService(new OncRpcProgram(PROGRAM, VERSION), call -> {
          switch (call.getProcedure()) {
            case ECHO -> call.reply(argument(call));
            case PUT -> {
              argument(call);
              call.reply(XdrVoid.XDR_VOID);
            }
            default -> {
              call.retrieveCall(XdrVoid.XDR_VOID);
              call.reply(large);
            }
          }
        }).build();
    server.start();
    return server;
  }

  private static Opaque argument(RpcCall call) throws OncRpcException, IOException {
    Opaque opaque = new Opaque(null);
    call.retrieveCall(opaque);
    return opaque;
  }

  /**
   * Where a server listens.
   *
   * @param server of {@link #serve}
   * @return its port
   */
  public static int port(OncRpcSvc server) {
    return server.getInetSocketAddress(IpProtocolType.TCP).getPort();
  }

  @Override
  public Future<?> echo() {
    return call(ECHO, small, new Opaque(null));
  }

  @Override
  public Future<?> put() {
    return call(PUT, large, XdrVoid.XDR_VOID);
  }

  @Override
  public Future<?> get() {
    return call(GET, XdrVoid.XDR_VOID, new Opaque(null));
  }

  private Future<Void> call(int procedure, XdrAble arguments, XdrAble results) {
    Promise<Void> promise = Promise.promise();
    try {
      calls.call(procedure, arguments, new CompletionHandler<>() {
        @Override
        public void completed(RpcReply reply, RpcTransport transport) {
          try {
            reply.getReplyResult(results);
            promise.complete();
          } catch (IOException e) {
            promise.fail(e);
          }
        }

        @Override
        public void failed(Throwable cause, RpcTransport transport) {
          promise.fail(cause);
        }
      });
    } catch (IOException e) {
      promise.fail(e);
    }
    return promise.future();
  }

  @Override
  public void close() throws IOException {
    client.close();
  }

  /** A variable-length opaque. */
  private static final class Opaque implements XdrAble {

    private ByteBuffer bytes;

    Opaque(ByteBuffer bytes) {
      this.bytes = bytes;
    }

    @Override
    public void xdrDecode(XdrDecodingStream xdr) throws OncRpcException, IOException {
      bytes = xdr.xdrDecodeByteBuffer();
    }

    @Override
    public void xdrEncode(XdrEncodingStream xdr) throws OncRpcException, IOException {
      xdr.xdrEncodeByteBuffer(bytes.duplicate());
    }
  }
}
