// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3.mount;

import dev.rpcrdma.examples.nfs3.tree.FileTree;
import dev.rpcrdma.tools.command.NfsSecurity;
import dev.rpcrdma.verbs.base.ZonedAddress;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.SocketAddress;
import java.util.Set;

/** Serves the MOUNT program to everybody who connects, within {@link MountLimits}. */
public final class MountServer {

  private final Vertx vertx;
  private final WorkerExecutor workers;
  private final MountProgram program;
  private final NetServer server;
  private final MountLimits limits;
  private final ClientCount clients;

  private MountServer(Vertx vertx, WorkerExecutor workers, FileTree tree, Set<NfsSecurity> security,
      MountLimits limits) {
    this.vertx = vertx;
    this.workers = workers;
    this.limits = limits;
    this.clients = new ClientCount(limits.connections(), limits.perAddress());
    this.program = new MountProgram(tree, security);
    this.server = vertx.createNetServer(new NetServerOptions().setReuseAddress(true));
  }

  /**
   * Starts to serve.
   *
   * @param vertx where it lives
   * @param workers for what blocks
   * @param tree what can be mounted
   * @param security how clients may say who they are to NFS; everybody may mount
   * @param address where to listen; port 0 chooses a free one
   * @param limits of connections
   * @return the server, or the reason why not
   */
  public static Future<MountServer> listen(Vertx vertx, WorkerExecutor workers, FileTree tree,
      Set<NfsSecurity> security, SocketAddress address, MountLimits limits) {
    MountServer mounts = new MountServer(vertx, workers, tree, security, limits);
    return mounts.server.connectHandler(mounts::connected).listen(ZonedAddress.of(address)).map(mounts);
  }

  /**
   * Where it listens.
   *
   * @return the port
   */
  public int port() {
    return server.actualPort();
  }

  private void connected(NetSocket socket) {
    String host = socket.remoteAddress().hostAddress();
    if (!clients.enter(host)) {
      socket.close();
      return;
    }
    socket.closeHandler(closed -> clients.leave(host));
    new MountConnection(vertx, socket, workers, program, limits.idle()).serve();
  }

  /**
   * Stops listening and disconnects everybody.
   *
   * @return when it is done
   */
  public Future<Void> close() {
    return server.close();
  }
}
