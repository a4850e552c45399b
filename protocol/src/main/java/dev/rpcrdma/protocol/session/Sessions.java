// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.session;

import dev.rpcrdma.protocol.time.Deadlines;
import dev.rpcrdma.protocol.wire.InstanceId;
import dev.rpcrdma.protocol.wire.SessionBlock;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * The clients that a server remembers. A client without a connection is forgotten after some time, or
 * when there are too many of them, the one first that has been away for longest; those with a connection
 * are not.
 *
 * @param <K> whatever tells clients apart
 */
public final class Sessions<K> {

  private final SessionSettings settings;
  private final RandomGenerator random;
  private final Consumer<Session> whenDropped;
  private final Map<K, Session> sessions = new LinkedHashMap<>();
  /** Those without a connection, in the order in which they left. */
  private final Map<Object, Session> away = new LinkedHashMap<>();
  private final Deadlines deadlines;

  /**
   * Creates an empty memory.
   *
   * @param settings its bounds
   * @param deadlines where its own are put, with those of all machines of its thread
   * @param random for ids and XIDs
   * @param whenDropped hears of each client that is forgotten
   */
  public Sessions(SessionSettings settings, Deadlines deadlines, RandomGenerator random,
      Consumer<Session> whenDropped) {
    this.settings = settings;
    this.deadlines = deadlines;
    this.random = random;
    this.whenDropped = whenDropped;
  }

  /**
   * How many clients are remembered.
   *
   * @return a count
   */
  public int size() {
    return sessions.size();
  }

  /**
   * What is remembered of a client.
   *
   * @param client who
   * @return its session; empty if it is not remembered
   */
  public Optional<Session> of(K client) {
    return Optional.ofNullable(sessions.get(client));
  }

  /**
   * A connection of a client is about to be accepted. All its earlier ones are to be fenced, before anything
   * that has come over this one is looked at.
   *
   * @param client who
   * @param shown what it has shown; empty if it is a foreign client
   * @return its session, to be {@linkplain #leave left} when the connection has ended; empty if the
   *     connection is to be rejected, since the client has begun another one after it
   */
  public Optional<Session> enter(K client, Optional<SessionBlock> shown) {
    Session session = sessions.computeIfAbsent(client, key -> new Session(this, key));
    if (!session.enter(shown)) {
      return Optional.empty();
    }
    away.remove(client);
    deadlines.remove(session);
    return Optional.of(session);
  }

  /**
   * A connection of a client has ended.
   *
   * @param session as {@link #enter} gave it
   * @param now the time
   */
  public void leave(Session session, long now) {
    if (!session.left() || sessions.get(session.client()) != session) {
      return;
    }
    deadlines.add(session, now + settings.awayNanos());
    away.put(session.client(), session);
    if (away.size() > settings.mostAway()) {
      Session longest = away.values().iterator().next();
      deadlines.remove(longest);
      drop(longest);
    }
  }

  /** Forgets all clients. */
  public void clear() {
    while (!sessions.isEmpty()) {
      Session session = sessions.values().iterator().next();
      deadlines.remove(session);
      drop(session);
    }
  }

  InstanceId newId() {
    return InstanceId.random(random);
  }

  int firstXid() {
    return random.nextInt();
  }

  DuplicateRequestCache newCache(boolean foreign) {
    return foreign
        ? new ForeignCache(settings.foreignCalls(), settings.foreignNanos(), deadlines,
            settings.replyBytes())
        : new SessionCache(settings.slotBits(), deadlines, settings.replyBytes(),
            settings.largeReplyBytes());
  }

  void drop(Session session) {
    sessions.remove(session.client(), session);
    away.remove(session.client(), session);
    session.calls().clear();
    whenDropped.accept(session);
  }
}
