// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.client;

import dev.rpcrdma.api.impl.endpoint.ServerPlace;
import dev.rpcrdma.api.KerberosOptions;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.impl.connection.PeerContexts;
import dev.rpcrdma.api.impl.kerberos.Kerberos;
import dev.rpcrdma.api.impl.security.SecurityThreads;
import dev.rpcrdma.protocol.gss.GssHandshake;
import io.vertx.core.net.SocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/** The security contexts of a client: those with one server are shared by all channels to it. From any thread. */
final class ServerContexts {

  private static final class Shared {
    private final PeerContexts contexts;
    private int users;

    Shared(PeerContexts contexts) {
      this.contexts = contexts;
    }
  }

  private final RpcClientOptions options;
  private final KerberosOptions kerberos;
  private final SecurityThreads threads;
  /** Guarded by this. */
  private final Map<ServerPlace, Shared> servers = new HashMap<>();

  ServerContexts(RpcClientOptions options, KerberosOptions kerberos, SecurityThreads threads) {
    this.options = options;
    this.kerberos = kerberos;
    this.threads = threads;
  }

  /** Those with a server, to be {@linkplain #release released}. */
  synchronized PeerContexts acquire(SocketAddress server) {
    Shared shared = servers.computeIfAbsent(ServerPlace.of(server), made -> new Shared(contexts(server)));
    shared.users++;
    return shared.contexts;
  }

  private PeerContexts contexts(SocketAddress server) {
    Supplier<GssHandshake> mechanism = Kerberos.initiator(kerberos, server::host);
    return new PeerContexts(Kerberos.service(kerberos.getProtection()), mechanism, threads, options.getConnectTimeout());
  }

  /** The last one ends them. */
  void release(SocketAddress server) {
    Shared last = null;
    synchronized (this) {
      Shared shared = servers.get(ServerPlace.of(server));
      if (--shared.users == 0) {
        last = servers.remove(ServerPlace.of(server));
      }
    }
    if (last != null) {
      last.contexts.close();
    }
  }
}
