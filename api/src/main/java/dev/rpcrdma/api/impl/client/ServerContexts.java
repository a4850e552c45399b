// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.client;

import dev.rpcrdma.api.impl.endpoint.ServerPlace;
import dev.rpcrdma.api.impl.mechanism.PeerContexts;
import dev.rpcrdma.api.impl.mechanism.SecurityMechanism.Initiator;
import io.vertx.core.net.SocketAddress;
import java.util.HashMap;
import java.util.Map;

/** The security contexts of a client: those with one server are shared by all channels to it. From any thread. */
final class ServerContexts {

  private static final class Shared {
    private final PeerContexts contexts;
    private int users;

    Shared(PeerContexts contexts) {
      this.contexts = contexts;
    }
  }

  private final Initiator initiator;
  /** Guarded by this. */
  private final Map<ServerPlace, Shared> servers = new HashMap<>();

  ServerContexts(Initiator initiator) {
    this.initiator = initiator;
  }

  /** Those with a server, to be {@linkplain #release released}. */
  synchronized PeerContexts acquire(SocketAddress server) {
    Shared shared = servers.computeIfAbsent(ServerPlace.of(server), made -> new Shared(initiator.with(server::host)));
    shared.users++;
    return shared.contexts;
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
