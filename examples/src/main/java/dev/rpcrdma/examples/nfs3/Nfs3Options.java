package dev.rpcrdma.examples.nfs3;

import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.examples.nfs3.program.NfsBinding;
import dev.rpcrdma.examples.nfs3.tree.TreeOptions;
import java.nio.file.Path;

/**
 * What a server serves, and where.
 *
 * @param export the directory
 * @param host the address to listen on
 * @param port for NFS over RDMA; 0 for a free one
 * @param mountPort for MOUNT over TCP; 0 for a free one
 * @param rpc how to serve RPC
 * @param tree how to serve files
 * @param squashRoot whether user 0 of clients is nobody here, and nobody is in group 0
 * @param workers how many threads use files
 */
public record Nfs3Options(Path export, String host, int port, int mountPort, RpcServerOptions rpc,
    TreeOptions tree, boolean squashRoot, int workers) {

  /** Where MOUNT is by habit. */
  public static final int MOUNT_PORT = 20_048;

  /** Checks the ranges. */
  public Nfs3Options {
    if (workers < 1) {
      throw new IllegalArgumentException("At least one thread is needed, not " + workers);
    }
  }

  /**
   * A directory, to be served to everybody on the usual ports.
   *
   * @param export the directory
   */
  public Nfs3Options(Path export) {
    this(export, "0.0.0.0", NfsBinding.PORT, MOUNT_PORT, new RpcServerOptions(),
        TreeOptions.DEFAULT, false, 8);
  }

  /**
   * The same, elsewhere.
   *
   * @param address to listen on
   * @param nfs the port for NFS; 0 for a free one
   * @param mount the port for MOUNT; 0 for a free one
   * @return a copy
   */
  public Nfs3Options at(String address, int nfs, int mount) {
    return new Nfs3Options(export, address, nfs, mount, rpc, tree, squashRoot, workers);
  }

  /**
   * The same, with other options for RPC.
   *
   * @param options to use
   * @return a copy
   */
  public Nfs3Options with(RpcServerOptions options) {
    return new Nfs3Options(export, host, port, mountPort, options, tree, squashRoot, workers);
  }

  /**
   * The same, with other options for files.
   *
   * @param options to use
   * @return a copy
   */
  public Nfs3Options with(TreeOptions options) {
    return new Nfs3Options(export, host, port, mountPort, rpc, options, squashRoot, workers);
  }

  /**
   * The same, but for user 0 and group 0 of clients.
   *
   * @param squash whether they are nobody here
   * @return a copy
   */
  public Nfs3Options withSquashRoot(boolean squash) {
    return new Nfs3Options(export, host, port, mountPort, rpc, tree, squash, workers);
  }
}
