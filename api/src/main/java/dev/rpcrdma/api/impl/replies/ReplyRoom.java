// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.replies;

import dev.rpcrdma.api.impl.metrics.ServiceMetrics;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Room for the replies of many connections. A call whose reply may be long enters before its service has it, takes as
 * much room as such replies have lately taken, and leaves when its reply is not held any more: it was sent, or pulled.
 * Without room it waits. Thread-safe; nobody is called with a lock held.
 *
 * <p><b>Shares.</b> A connection has at most as much room as all connections together leave free. That is half of the
 * room for one connection, and a third for each of two. So a peer that does not read its replies blocks its own calls
 * only. A connection without a share gets one while any room is free, whatever the size of its call.
 *
 * <p><b>Turns.</b> Connections take turns, and the calls of each connection stay in order. A connection that waits for
 * its own share loses its turn.
 *
 * <p><b>Progress.</b> If no call has left for a second, one waiting call is admitted without room: an admitted call may
 * wait for a waiting one, as between services that call each other. A call leaves at its deadline, though its service
 * has not answered.
 */
public final class ReplyRoom {

  /** How long nothing may move. */
  public static final long PATIENCE_MILLIS = 1_000;

  /** Who waits for room. */
  public interface Waiting {

    /** How much, in bytes. */
    int bytes();

    /** Until when its service may take, as a time of {@link System#nanoTime}. */
    long deadline();

    /**
     * It is let in; from any thread.
     *
     * @param share what it has
     */
    void admitted(Share share);
  }

  /** The calls of one connection. Guarded by the room. */
  public static final class Line {

    /** Waiting calls. */
    private final ArrayDeque<Entry> calls = new ArrayDeque<>(0);
    /** Bytes of the admitted calls. */
    private long usedBytes;

    /** Guarded by the room. */
    private Entry remove(Waiting call) {
      for (Entry entry : calls) {
        if (entry.call == call) {
          calls.remove(entry);
          return entry;
        }
      }
      return null;
    }
  }

  /**
   * A place in a line.
   *
   * @param queued what metrics know it by; null if nobody watches
   */
  private record Entry(Waiting call, Object queued) {}

  /** What one call has of the room; run when it leaves, once or more often. */
  public final class Share implements Runnable {

    private final Line line;
    private final long deadline;
    /** Guarded by the room. */
    private long bytes;
    /** Guarded by the room. */
    private boolean left;
    /** What metrics know it by; null if nobody watches. */
    private Object used;

    private Share(Line line, long bytes, long deadline) {
      this.line = line;
      this.bytes = bytes;
      this.deadline = deadline;
    }

    /**
     * Sets the size of the reply when the service has made it.
     *
     * @param taken in bytes, however many were expected
     */
    public void made(long taken) {
      synchronized (ReplyRoom.this) {
        if (!expected.remove(this)) {
          return;
        }
        use(line, taken - bytes);
        bytes = taken;
      }
      admit(false);
    }

    @Override
    public void run() {
      synchronized (ReplyRoom.this) {
        if (left) {
          return;
        }
        leave();
      }
      end();
      admit(false);
    }

    private Share begin() {
      if (metrics != null) {
        used = metrics.begin();
      }
      return this;
    }

    private void end() {
      if (metrics != null) {
        metrics.end(used);
      }
    }

    /** Guarded by the room. */
    private void leave() {
      expected.remove(this);
      use(line, -bytes);
      left = true;
      departures++;
    }
  }

  private final long maxBytes;
  private final LongSupplier time;
  private final Consumer<Runnable> later;
  private final Consumer<ReplyRoom> whenCrowded;
  /** Null if nobody watches. */
  private final ServiceMetrics metrics;
  /** Guarded by this: with calls that wait, in the order of their turns. */
  private final ArrayDeque<Line> lines = new ArrayDeque<>();
  /** Guarded by this: whose replies are still to be made. */
  private final Set<Share> expected = new LinkedHashSet<>();
  /** Guarded by this. */
  private long usedBytes;
  /** Guarded by this. */
  private int waiting;
  /** Guarded by this: how many have left. */
  private long departures;
  /** Guarded by this: how many had left when somebody looked last. */
  private long departuresSeen;
  /** Guarded by this: whether somebody will look whether it goes on. */
  private boolean watched;

  /**
   * Creates it empty.
   *
   * @param maxBytes what it has room for
   * @param time of deadlines
   * @param later runs what it is given when {@link #PATIENCE_MILLIS} are over
   * @param whenCrowded hears of calls that wait, once in that time
   * @param metrics hears of each call that waits, and of each reply; null if nobody watches
   */
  ReplyRoom(long maxBytes, LongSupplier time, Consumer<Runnable> later, Consumer<ReplyRoom> whenCrowded,
      ServiceMetrics metrics) {
    this.metrics = metrics;
    this.maxBytes = maxBytes;
    this.time = time;
    this.later = later;
    this.whenCrowded = whenCrowded;
  }

  /**
   * A call wants in.
   *
   * @param line of its connection
   * @param bytes how much room it takes
   * @param deadline until when its service may take, as a time of {@link System#nanoTime}
   * @return what it has; null if it has to {@linkplain #await wait}
   */
  public Share enter(Line line, int bytes, long deadline) {
    Share share;
    synchronized (this) {
      if (!line.calls.isEmpty() || !fits(line, bytes) || next() != null) {
        return null;
      }
      share = share(line, bytes, deadline);
    }
    return share.begin();
  }

  /**
   * Has a call wait that could not enter; it is let in when there is room, which may be at once.
   *
   * @param line of its connection
   * @param call who waits
   */
  public void await(Line line, Waiting call) {
    Object queued = metrics == null ? null : metrics.enqueue();
    boolean watch;
    synchronized (this) {
      if (line.calls.isEmpty()) {
        lines.add(line);
      }
      line.calls.add(new Entry(call, queued));
      waiting++;
      watch = !watched;
      if (watch) {
        watched = true;
        departuresSeen = departures;
      }
    }
    if (watch) {
      later.accept(this::look);
    }
    // There may be room by now.
    admit(false);
  }

  /**
   * A reply that nobody expected to be long is made.
   *
   * @param line of its connection
   * @param taken in bytes
   * @return what it has, whether or not there is room
   */
  public Share take(Line line, long taken) {
    synchronized (this) {
      use(line, taken);
    }
    return new Share(line, taken, Long.MAX_VALUE).begin();
  }

  /**
   * A call waits no longer.
   *
   * @param line of its connection
   * @param call may have been let in meanwhile; it has its share then, and gives it back
   */
  public void withdraw(Line line, Waiting call) {
    Entry entry;
    synchronized (this) {
      entry = line.remove(call);
      if (entry == null) {
        return;
      }
      waiting--;
      if (line.calls.isEmpty()) {
        lines.remove(line);
      }
    }
    dequeue(entry);
    // Those behind it may want less.
    admit(false);
  }

  /** What it has room for, in bytes. */
  public long maxBytes() {
    return maxBytes;
  }

  /** How much of it is taken, in bytes: more than there is if replies were longer than expected. */
  public synchronized long usedBytes() {
    return usedBytes;
  }

  /** How many calls wait. */
  public synchronized int waiting() {
    return waiting;
  }

  /** Guarded by this. */
  private void use(Line line, long bytes) {
    usedBytes += bytes;
    line.usedBytes += bytes;
  }

  /** Guarded by this. */
  private boolean fits(Line line, long bytes) {
    long free = maxBytes - usedBytes;
    return line.usedBytes == 0 ? free > 0 : line.usedBytes + bytes <= free - bytes;
  }

  /** Returns the first connection whose next call fits; null if there is none. Guarded by this. */
  private Line next() {
    for (Line line : lines) {
      if (fits(line, line.calls.peek().call.bytes())) {
        return line;
      }
    }
    return null;
  }

  /** Guarded by this. */
  private Share share(Line line, int bytes, long deadline) {
    use(line, bytes);
    Share share = new Share(line, bytes, deadline);
    expected.add(share);
    return share;
  }

  /** Lets in those whose turn it is, as long as there is room, and the first one even without if that is wanted. */
  private void admit(boolean without) {
    boolean oneMore = without;
    while (true) {
      Entry next;
      Share share;
      synchronized (this) {
        Line line = oneMore ? lines.peek() : next();
        if (line == null) {
          return;
        }
        lines.remove(line);
        next = line.calls.poll();
        waiting--;
        if (!line.calls.isEmpty()) {
          lines.add(line);
        }
        share = share(line, next.call.bytes(), next.call.deadline());
      }
      oneMore = false;
      dequeue(next);
      next.call.admitted(share.begin());
    }
  }

  private void dequeue(Entry entry) {
    if (metrics != null) {
      metrics.dequeue(entry.queued);
    }
  }

  private void look() {
    boolean crowded;
    boolean stuck;
    List<Share> late;
    synchronized (this) {
      late = leaveLate();
      crowded = !lines.isEmpty();
      watched = crowded;
      stuck = departures == departuresSeen;
      departuresSeen = departures;
    }
    late.forEach(Share::end);
    if (crowded) {
      whenCrowded.accept(this);
      admit(stuck);
      later.accept(this::look);
    }
  }

  /** Guarded by this. */
  private List<Share> leaveLate() {
    long now = time.getAsLong();
    List<Share> late = new ArrayList<>();
    for (Share share : expected) {
      if (share.deadline - now <= 0) {
        late.add(share);
      }
    }
    late.forEach(Share::leave);
    return late;
  }

  void close() {
    if (metrics != null) {
      metrics.close();
    }
  }
}
