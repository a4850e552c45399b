// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3;

import dev.rpcrdma.api.KerberosOptions;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.examples.nfs3.program.NfsBinding;
import dev.rpcrdma.examples.nfs3.tree.TreeOptions;
import dev.rpcrdma.tools.command.NfsSecurity;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;

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
 * @param security how clients may say who they are; with Kerberos, {@code rpc} has the keytab, and says the principal
 * @param contextPort for security contexts over TCP, with Kerberos; 0 for a free one
 */
public record Nfs3Options(Path export, String host, int port, int mountPort, RpcServerOptions rpc,
    TreeOptions tree, boolean squashRoot, int workers, Set<NfsSecurity> security, int contextPort) {

  /** Where MOUNT is by habit. */
  public static final int MOUNT_PORT = 20_048;
  /** Where NFS over TCP is, by which Linux makes the contexts of a mount on {@link NfsBinding#PORT}. */
  public static final int CONTEXT_PORT = 2049;

  /** Checks the ranges, and copies. */
  public Nfs3Options {
    if (workers < 1) {
      throw new IllegalArgumentException("At least one thread is needed, not " + workers);
    }
    security = EnumSet.copyOf(security);
    if (security.stream().anyMatch(NfsSecurity::isKerberos)
        && rpc.getKerberos().flatMap(KerberosOptions::getPrincipal).filter(name -> name.indexOf('@') > 0).isEmpty()) {
      throw new IllegalArgumentException("Kerberos needs a principal with its realm, such as nfs/host@REALM");
    }
  }

  /**
   * A directory, to be served to everybody on the usual ports.
   *
   * @param export the directory
   */
  public Nfs3Options(Path export) {
    this(export, "0.0.0.0", NfsBinding.PORT, MOUNT_PORT, new RpcServerOptions(),
        TreeOptions.DEFAULT, false, 8, Set.of(NfsSecurity.SYS), CONTEXT_PORT);
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
    return new Nfs3Options(export, address, nfs, mount, rpc, tree, squashRoot, workers, security,
        contextPort);
  }

  /**
   * The same, with other options for RPC.
   *
   * @param options to use
   * @return a copy
   */
  public Nfs3Options with(RpcServerOptions options) {
    return new Nfs3Options(export, host, port, mountPort, options, tree, squashRoot, workers, security,
        contextPort);
  }

  /**
   * The same, with other options for files.
   *
   * @param options to use
   * @return a copy
   */
  public Nfs3Options with(TreeOptions options) {
    return new Nfs3Options(export, host, port, mountPort, rpc, options, squashRoot, workers, security,
        contextPort);
  }

  /**
   * The same, but for user 0 and group 0 of clients.
   *
   * @param squash whether they are nobody here
   * @return a copy
   */
  public Nfs3Options withSquashRoot(boolean squash) {
    return new Nfs3Options(export, host, port, mountPort, rpc, tree, squash, workers, security,
        contextPort);
  }

  /**
   * The same, with Kerberos.
   *
   * @param wanted how clients may say who they are
   * @param kerberos whose keys the server has, with the realm in its principal
   * @param port for contexts over TCP; 0 for a free one
   * @return a copy
   */
  public Nfs3Options with(Set<NfsSecurity> wanted, KerberosOptions kerberos, int port) {
    return new Nfs3Options(export, host, this.port, mountPort, new RpcServerOptions(rpc).setKerberos(kerberos), tree,
        squashRoot, workers, wanted, port);
  }

  /** Whether some clients are known by Kerberos. */
  boolean hasKerberos() {
    return security.stream().anyMatch(NfsSecurity::isKerberos);
  }

  /** Whose principals are users here. */
  String realm() {
    String principal = rpc.getKerberos().flatMap(KerberosOptions::getPrincipal).orElseThrow();
    return principal.substring(principal.indexOf('@') + 1);
  }
}
