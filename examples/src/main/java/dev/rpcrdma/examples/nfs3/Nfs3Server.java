// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3;

import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.examples.nfs3.mount.MountLimits;
import dev.rpcrdma.examples.nfs3.mount.MountServer;
import dev.rpcrdma.examples.nfs3.program.LocalUsers;
import dev.rpcrdma.examples.nfs3.program.NfsService;
import dev.rpcrdma.examples.nfs3.tree.FileTree;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.net.SocketAddress;
import java.nio.file.Path;
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
  /** 0 without Kerberos. */
  private final int contextPort;

  private Nfs3Server(WorkerExecutor workers, RpcServer nfs, MountServer mount, int contextPort) {
    this.workers = workers;
    this.nfs = nfs;
    this.mount = mount;
    this.contextPort = contextPort;
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
    return vertx.executeBlocking(() -> new Found(FileTree.of(options.export(), options.tree()), options.hasKerberos()
        ? LocalUsers.read(options.realm(), Path.of("/etc/passwd"), Path.of("/etc/group")) : null), false)
        .compose(found -> start(vertx, options, found.tree, found.users));
  }

  private record Found(FileTree tree, LocalUsers users) {}

  private static Future<Nfs3Server> start(Vertx vertx, Nfs3Options options, FileTree tree, LocalUsers users) {
    // A disk may take its time.
    WorkerExecutor workers = vertx.createSharedWorkerExecutor("nfs3 " + tree.path(),
        options.workers(), 2, TimeUnit.MINUTES);
    RpcServer nfs = RpcServer.builder(vertx)
        .with(new RpcServerOptions(options.rpc()).setMaxChunkBytes(MAX_CHUNK_BYTES)
            .setMaxConnections(MAX_CLIENTS).setMaxConnectionsPerHost(MAX_OF_ADDRESS)).build()
        .bind(new NfsService(tree, workers, options.squashRoot(), options.security(), users));
    return nfs.listen(SocketAddress.inetSocketAddress(options.port(), options.host()))
        .compose(listening -> options.hasKerberos() ? nfs.listenForContexts(
            SocketAddress.inetSocketAddress(options.contextPort(), options.host())) : Future.succeededFuture(0))
        .compose(contextPort -> MountServer.listen(vertx, workers, tree, options.security(),
            SocketAddress.inetSocketAddress(options.mountPort(), options.host()), MountLimits.DEFAULT)
            .map(mount -> new Nfs3Server(workers, nfs, mount, contextPort)))
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
   * Where clients make security contexts over TCP.
   *
   * @return the port; 0 without Kerberos
   */
  public int contextPort() {
    return contextPort;
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
