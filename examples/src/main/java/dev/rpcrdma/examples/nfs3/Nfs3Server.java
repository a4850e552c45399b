package dev.rpcrdma.examples.nfs3;

import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.examples.nfs3.mount.MountLimits;
import dev.rpcrdma.examples.nfs3.mount.MountServer;
import dev.rpcrdma.examples.nfs3.program.NfsService;
import dev.rpcrdma.examples.nfs3.tree.FileTree;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.net.SocketAddress;
import java.util.concurrent.TimeUnit;

/**
 * Serves a directory: NFS over RDMA, MOUNT over TCP. Nothing is registered with a portmapper, so
 * clients are told the ports.
 */
public final class Nfs3Server {

  /** Each may have as many calls waiting for a worker as it has credits. */
  private static final int MAX_CLIENTS = 64;
  /** So that one machine cannot lock others out; Linux opens at most 16 for one mount (nconnect). */
  private static final int MAX_OF_ADDRESS = 16;
  /** The largest WRITE, twice over. */
  private static final long MAX_CHUNK_BYTES = 8 << 20;

  private final WorkerExecutor workers;
  private final RpcServer nfs;
  private final MountServer mount;

  private Nfs3Server(WorkerExecutor workers, RpcServer nfs, MountServer mount) {
    this.workers = workers;
    this.nfs = nfs;
    this.mount = mount;
  }

  /**
   * Starts both services.
   *
   * @param vertx where they live
   * @param options what to serve, and where
   * @return the server; fails with an {@link java.io.IOException} if the directory cannot be
   *     served, or with why one of the ports cannot be listened on
   */
  public static Future<Nfs3Server> start(Vertx vertx, Nfs3Options options) {
    return vertx.executeBlocking(() -> FileTree.of(options.export(), options.tree()), false)
        .compose(tree -> start(vertx, options, tree));
  }

  private static Future<Nfs3Server> start(Vertx vertx, Nfs3Options options, FileTree tree) {
    // A disk may take its time.
    WorkerExecutor workers = vertx.createSharedWorkerExecutor("nfs3 " + tree.path(),
        options.workers(), 2, TimeUnit.MINUTES);
    RpcServer nfs = RpcServer.builder(vertx)
        .with(new RpcServerOptions(options.rpc()).setMaxChunkBytes(MAX_CHUNK_BYTES)
            .setMaxConnections(MAX_CLIENTS).setMaxConnectionsPerHost(MAX_OF_ADDRESS)).build()
        .bind(new NfsService(tree, workers, options.squashRoot()));
    return nfs.listen(SocketAddress.inetSocketAddress(options.port(), options.host()))
        .compose(listening -> MountServer.listen(vertx, workers, tree,
            SocketAddress.inetSocketAddress(options.mountPort(), options.host()),
            MountLimits.DEFAULT))
        .map(mount -> new Nfs3Server(workers, nfs, mount))
        .recover(e -> nfs.close().eventually(workers::close)
            .transform(closed -> Future.failedFuture(e)));
  }

  /**
   * Where NFS is.
   *
   * @return the port
   */
  public int port() {
    return nfs.actualPort();
  }

  /**
   * Where MOUNT is.
   *
   * @return the port
   */
  public int mountPort() {
    return mount.port();
  }

  /**
   * Ends both services; calls in flight may finish.
   *
   * @return when all is closed
   */
  public Future<Void> close() {
    return Future.join(mount.close(), nfs.close()).eventually(workers::close).mapEmpty();
  }
}
