package dev.rpcrdma.bench.replies;

import dev.rpcrdma.api.Payload;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.bench.Waiting;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;

/** The server's process. */
public final class ReplyPeer {

  /** System property of a process that has little memory, and no large results. */
  public static final String SMALL = "rpcrdma.bench.small";
  /** The largest result. */
  private static final int LARGEST = 256 << 20;

  private ReplyPeer() {}

  /**
   * Serves until standard input ends.
   *
   * @param arguments none
   * @throws Exception if it cannot be started
   */
  public static void main(String[] arguments) throws Exception {
    Vertx vertx = Vertx.vertx();
    RpcServer server = RpcServer.create(vertx).bind(
        new ReplyService(Payload.allocate(vertx, Boolean.getBoolean(SMALL) ? 1 : LARGEST)));
    Waiting.await(server.listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
    System.out.println(server.actualPort());
    while (System.in.read() >= 0) {
      // Nothing is asked.
    }
    System.exit(0);
  }
}
