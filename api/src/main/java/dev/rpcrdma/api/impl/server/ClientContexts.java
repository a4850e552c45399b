// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.server;

import dev.rpcrdma.api.KerberosOptions;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.impl.call.CallProtectors;
import dev.rpcrdma.api.impl.connection.PeerContexts;
import dev.rpcrdma.api.impl.kerberos.Kerberos;
import dev.rpcrdma.api.impl.security.KerberosServer;
import dev.rpcrdma.api.impl.security.SecurityThreads;
import java.util.function.Supplier;

/**
 * What protects the calls of a server to its clients.
 *
 * @param options of the server
 * @param kerberos says whose tickets; null if such calls are not protected
 * @param threads for what takes long; null if there is none
 */
record ClientContexts(RpcServerOptions options, KerberosOptions kerberos, SecurityThreads threads) {

  /** Of a client that shows no session: nobody knows which of its connections are to the same one. */
  static final CallProtectors NO_SESSION = (program, version) -> (channel, listener) -> listener.unavailable(
      "Calls to a client that shows no session cannot be protected");

  /** Those of a server whose Kerberos says who is called, or none. */
  static ClientContexts of(RpcServerOptions options, KerberosServer server) {
    return options.getKerberos().filter(Kerberos::calls)
        .map(kerberos -> new ClientContexts(options, kerberos, server.threads()))
        .orElse(new ClientContexts(options, null, null));
  }

  /** Whether calls are to be protected. */
  boolean wanted() {
    return kerberos != null;
  }

  /** Those with one client; null if calls are not protected. */
  PeerContexts with(Supplier<String> host) {
    return kerberos == null ? null : new PeerContexts(Kerberos.service(kerberos.getProtection()),
        Kerberos.initiator(kerberos, host), threads, options.getConnectTimeout());
  }
}
