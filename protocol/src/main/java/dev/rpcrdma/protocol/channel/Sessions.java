package dev.rpcrdma.protocol.channel;

import dev.rpcrdma.protocol.time.Deadlines;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The clients that a server remembers. A client without a connection is forgotten after some time, or
 * when there are too many of them, the one first that has been away for longest; those with a connection
 * are not.
 *
 * @param <K> whatever tells clients apart
 */
public final class Sessions<K> {

  private final int most;
  private final long memoryNanos;
  private final Function<K, ReplyCache> caches;
  private final Consumer<Session> whenDropped;
  private final Map<K, Session> sessions = new LinkedHashMap<>();
  /** Those without a connection, in the order in which they left. */
  private final Map<Object, Session> away = new LinkedHashMap<>();
  private final Deadlines deadlines = new Deadlines();

  /**
   * Creates an empty memory.
   *
   * @param most how many clients without a connection to remember
   * @param memoryNanos for how long
   * @param caches makes the cache of a client
   * @param whenDropped hears of each client that is forgotten
   */
  public Sessions(int most, long memoryNanos, Function<K, ReplyCache> caches,
      Consumer<Session> whenDropped) {
    this.most = most;
    this.memoryNanos = memoryNanos;
    this.caches = caches;
    this.whenDropped = whenDropped;
  }

  /**
   * Whether a client is remembered.
   *
   * @param client who
   * @return true if it has a session
   */
  public boolean knows(K client) {
    return sessions.containsKey(client);
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
   * A connection of a client begins.
   *
   * @param client who
   * @return its session; {@link #leave} it when the connection has ended
   */
  public Session enter(K client) {
    Session session = sessions.computeIfAbsent(client,
        key -> new Session(this, key, caches.apply(key)));
    away.remove(client);
    deadlines.remove(session);
    session.entered();
    return session;
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
    deadlines.add(session, now + memoryNanos);
    away.put(session.client(), session);
    if (away.size() > most) {
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

  /**
   * When {@link #advance} has something to do.
   *
   * @return a time, or {@link Long#MAX_VALUE}
   */
  public long nextDeadline() {
    return deadlines.next();
  }

  /**
   * Time has passed.
   *
   * @param now the time
   */
  public void advance(long now) {
    deadlines.advance(now);
  }

  void drop(Session session) {
    sessions.remove(session.client(), session);
    away.remove(session.client(), session);
    session.calls().clear();
    whenDropped.accept(session);
  }
}
