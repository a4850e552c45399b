// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.bridge;

import dev.rpcrdma.service.impl.PeerShares;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.ReplyException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Replies whose senders wait for an answer, for a while. Their number is bounded, and no reply goes for another one.
 * Safe for all threads.
 */
final class Conversations {

  /** Replies to all peers. A peer that is alone has half as many. */
  static final int MOST = 20_000;

  private record Waiting(Message<Object> reply, String peer, long until) {}

  private final PeerShares shares = new PeerShares(MOST);
  /** Replies in the order in which their times end. Guarded by this. */
  private final Map<UUID, Waiting> waiting = new LinkedHashMap<>();

  /**
   * Keeps a reply.
   *
   * @param peer the host that the reply goes to
   * @param now of {@link System#nanoTime}
   * @param nanos time for which the reply is kept, the same for all
   * @return the id of the reply
   * @throws ReplyException if the peer has too many
   */
  synchronized UUID add(Message<Object> reply, String peer, long now, long nanos) {
    expire(now);
    if (!shares.add(peer)) {
      throw BusFailures.tooManyReplies(shares.number(peer));
    }
    UUID id = UUID.randomUUID();
    waiting.put(id, new Waiting(reply, peer, now + nanos));
    return id;
  }

  /** Returns the number of replies that wait. */
  synchronized int count(long now) {
    expire(now);
    return waiting.size();
  }

  /** Takes a reply that is answered now. */
  synchronized Optional<Message<Object>> take(UUID id, long now) {
    expire(now);
    Waiting taken = waiting.remove(id);
    if (taken == null) {
      return Optional.empty();
    }
    shares.remove(taken.peer);
    return Optional.of(taken.reply);
  }

  /** Returns the number of replies, also of those whose time is over. */
  synchronized int known() {
    return waiting.size();
  }

  /** Removes the replies whose time is over. */
  synchronized void expire(long now) {
    Iterator<Waiting> oldest = waiting.values().iterator();
    while (oldest.hasNext()) {
      Waiting reply = oldest.next();
      if (reply.until - now > 0) {
        break;
      }
      oldest.remove();
      shares.remove(reply.peer);
    }
  }
}
