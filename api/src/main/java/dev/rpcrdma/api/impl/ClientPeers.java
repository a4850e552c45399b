package dev.rpcrdma.api.impl;

import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.protocol.channel.ReplyCache;
import dev.rpcrdma.protocol.channel.Session;
import dev.rpcrdma.protocol.channel.Sessions;
import io.vertx.core.internal.ContextInternal;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The clients that a server remembers. On the server's loop, except for {@link #knows}. */
final class ClientPeers {

  /**
   * Strangers do not say which of them they are, so one cache serves all that come from a host, and it
   * remembers more calls.
   */
  private static final int STRANGERS_WINDOW = 1024;

  private final ContextInternal context;
  private final RpcServerOptions options;
  private final Sessions<ClientKey> sessions;
  private final Map<Session, ClientPeer> peers = new HashMap<>();
  private final Map<Session, ClientKey> keys = new HashMap<>();
  private final Set<ClientKey> known = ConcurrentHashMap.newKeySet();
  private final LoopTimer timer;
  private boolean closed;

  ClientPeers(ContextInternal context, RpcServerOptions options) {
    this.context = context;
    this.options = options;
    this.sessions = new Sessions<>(options.getMaxSessions(), options.getSessionTime().toNanos(),
        this::cache, this::forgotten);
    this.timer = new LoopTimer(context.nettyEventLoop(), () -> {
      sessions.advance(System.nanoTime());
      arm();
    });
  }

  /** See {@link dev.rpcrdma.protocol.channel}: only the last replies can be lost. */
  private ReplyCache cache(ClientKey client) {
    return new ReplyCache(client.stranger() ? STRANGERS_WINDOW : 2 * options.getForwardCredits(),
        options.getReplyCacheBytes());
  }

  /** Whether a client is remembered; from any thread. */
  boolean knows(ClientKey client) {
    return known.contains(client);
  }

  /** A connection of a client begins; {@link #leave} it once. */
  ClientPeer enter(ClientKey client) {
    Session session = sessions.enter(client);
    ClientPeer peer = peers.get(session);
    if (peer == null) {
      peer = new ClientPeer(session, client.stranger(), context, options);
      peers.put(session, peer);
      keys.put(session, client);
      known.add(client);
    }
    peer.arrives();
    return peer;
  }

  void leave(ClientPeer peer) {
    sessions.leave(peer.session(), System.nanoTime());
    if (closed) {
      close();
    } else {
      arm();
    }
  }

  private void arm() {
    timer.arm(sessions.nextDeadline());
  }

  private void forgotten(Session session) {
    known.remove(keys.remove(session));
    peers.remove(session).close();
  }

  /** Forgets all, and those that are just connecting as soon as they have gone. */
  void close() {
    closed = true;
    timer.cancel();
    sessions.clear();
  }
}
