// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.connect;

import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.bench.measure.PeerProcess;
import dev.rpcrdma.bench.measure.Waits;
import dev.rpcrdma.bench.rpc.PollingPeer;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetServerOptions;

/** A server's process. */
public final class ConnectPeer {

  /** System property of a process that serves by a {@code NetServer}. */
  public static final String SOCKETS = "rpcrdma.bench.sockets";

  private ConnectPeer() {}

  /**
   * Says its port and serves until standard input ends.
   *
   * @param arguments none
   * @throws Exception if the server cannot be started
   */
  public static void main(String[] arguments) throws Exception {
    Vertx vertx = Vertx.vertx();
    System.out.println(Boolean.getBoolean(SOCKETS) ? sockets(vertx)
        : PollingPeer.serve(vertx, new RpcServerOptions()).actualPort());
    PeerProcess.serve();
  }

  /** Sends back what comes; with a backlog as long as that of siw. */
  private static int sockets(Vertx vertx) {
    NetServer server = vertx.createNetServer(new NetServerOptions().setAcceptBacklog(1024))
        .connectHandler(socket -> socket.handler(socket::write));
    return Waits.await(server.listen(0, "127.0.0.1")).actualPort();
  }
}
