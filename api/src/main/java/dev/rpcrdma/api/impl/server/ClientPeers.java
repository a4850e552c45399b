// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.server;

import dev.rpcrdma.api.ClientSnapshot;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.impl.call.CallPolicy;
import dev.rpcrdma.api.impl.loop.LoopDeadlines;
import dev.rpcrdma.protocol.requester.XidSlots;
import dev.rpcrdma.protocol.session.Session;
import dev.rpcrdma.protocol.session.SessionSettings;
import dev.rpcrdma.protocol.session.Sessions;
import dev.rpcrdma.protocol.wire.SessionBlock;
import dev.rpcrdma.verbs.vertx.Contexts;
import io.vertx.core.Context;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The clients that a server remembers. On the server's loop. */
final class ClientPeers {

  /** One cache serves all foreign clients of a host, since they do not say which of them they are. */
  private static final int FOREIGN_CALLS = 1024;

  private final Context context;
  private final RpcServerOptions options;
  private final Sessions<ClientKey> sessions;
  private final Map<Session, ClientPeer> peers = new HashMap<>();
  private final Consumer<ClientKey> whenForgotten;
  private final Supplier<CallPolicy> policy;
  private final ClientContexts contexts;
  private boolean closed;

  /**
   * Creates an empty memory.
   *
   * @param whenForgotten hears of each client that is not remembered any more
   * @param policy how clients are called, and served
   * @param contexts protect calls to clients
   */
  ClientPeers(Context context, RpcServerOptions options, Consumer<ClientKey> whenForgotten,
      Supplier<CallPolicy> policy, ClientContexts contexts) {
    this.context = context;
    this.options = options;
    this.whenForgotten = whenForgotten;
    this.policy = policy;
    this.contexts = contexts;
    this.sessions = new Sessions<>(settings(options), LoopDeadlines.of(Contexts.eventLoop(context)),
        new SecureRandom(), this::forgotten);
  }

  private static SessionSettings settings(RpcServerOptions options) {
    long time = options.getSessionTime().toNanos();
    return new SessionSettings(XidSlots.bitsFor(options.getForwardCredits()),
        options.getReplyCacheBytes(), options.getLargeReplyCacheBytes(), FOREIGN_CALLS, time,
        options.getMaxSessions(), time);
  }

  /**
   * A connection of a client begins; {@link #leave} it once.
   *
   * @return empty if it is to be rejected: the client has begun another one after it
   */
  Optional<ClientPeer> enter(ClientKey client, Optional<SessionBlock> shown) {
    return sessions.enter(client, shown).map(session -> peers.computeIfAbsent(session,
        made -> new ClientPeer(session, client, context, options, policy.get(), contexts)));
  }

  /** How many connections a client has, of which it will have given up all when it makes another. */
  int connections(ClientKey client) {
    return sessions.of(client).map(peers::get).map(ClientPeer::connections).orElse(0);
  }

  List<ClientSnapshot> snapshot() {
    return peers.values().stream().map(ClientPeer::snapshot).toList();
  }

  void leave(ClientPeer peer) {
    sessions.leave(peer.session(), System.nanoTime());
    if (closed) {
      close();
    }
  }

  private void forgotten(Session session) {
    ClientPeer peer = peers.remove(session);
    if (peer != null) {
      peer.close();
      whenForgotten.accept(peer.key());
    }
  }

  /** Forgets all, and those that are just connecting as soon as they have gone. */
  void close() {
    closed = true;
    sessions.clear();
  }
}
