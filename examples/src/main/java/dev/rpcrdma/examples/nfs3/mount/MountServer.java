package dev.rpcrdma.examples.nfs3.mount;

import dev.rpcrdma.examples.nfs3.tree.FileTree;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.SocketAddress;
import java.util.concurrent.atomic.AtomicInteger;

/** Serves the MOUNT program to everybody who connects. */
public final class MountServer {

  private static final int MAX_CONNECTIONS = 256;

  private final Vertx vertx;
  private final WorkerExecutor workers;
  private final MountProgram program;
  private final NetServer server;
  private final AtomicInteger connections = new AtomicInteger();

  private MountServer(Vertx vertx, WorkerExecutor workers, FileTree tree) {
    this.vertx = vertx;
    this.workers = workers;
    this.program = new MountProgram(tree);
    this.server = vertx.createNetServer(new NetServerOptions().setReuseAddress(true));
  }

  /**
   * Starts to serve.
   *
   * @param vertx where it lives
   * @param workers for what blocks
   * @param tree what can be mounted
   * @param address where to listen; port 0 chooses a free one
   * @return the server, or the reason why not
   */
  public static Future<MountServer> listen(Vertx vertx, WorkerExecutor workers, FileTree tree,
      SocketAddress address) {
    MountServer mounts = new MountServer(vertx, workers, tree);
    return mounts.server.connectHandler(mounts::connected).listen(address).map(mounts);
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
    if (connections.incrementAndGet() > MAX_CONNECTIONS) {
      connections.decrementAndGet();
      socket.close();
      return;
    }
    socket.closeHandler(closed -> connections.decrementAndGet());
    new MountConnection(vertx, socket, workers, program).serve();
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
