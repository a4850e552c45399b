// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.bridge;

import io.vertx.core.eventbus.Message;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Replies whose senders wait for an answer, for a while, and a bounded number of them. Safe for all threads. */
final class Conversations {

  private static final int MOST = 10_000;

  private record Waiting(Message<Object> reply, long until) {}

  /** Oldest first. Guarded by this. */
  private final Map<UUID, Waiting> waiting = new LinkedHashMap<>();

  /**
   * Keeps a reply.
   *
   * @param now of {@link System#nanoTime}
   * @param nanos for how long
   * @return by what it is asked for
   */
  synchronized UUID add(Message<Object> reply, long now, long nanos) {
    Iterator<Waiting> oldest = waiting.values().iterator();
    while (oldest.hasNext() && (oldest.next().until - now <= 0 || waiting.size() >= MOST)) {
      oldest.remove();
    }
    UUID id = UUID.randomUUID();
    waiting.put(id, new Waiting(reply, now + nanos));
    return id;
  }

  /** How many are waited for. */
  synchronized int count(long now) {
    return (int) waiting.values().stream().filter(each -> each.until - now > 0).count();
  }

  /** Takes a reply that is answered now. */
  synchronized Optional<Message<Object>> take(UUID id, long now) {
    return Optional.ofNullable(waiting.remove(id)).filter(each -> each.until - now > 0).map(Waiting::reply);
  }
}
