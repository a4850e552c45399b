// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.call;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Bounds how many calls the services of one end have at a time, in all and for each connection. Credits alone do not: a
 * caller that gives a call up has its credit back, and the service goes on. Thread-safe.
 *
 * <p>An execution ends when its service has answered. One that nobody waits for counts for the service timeout at most:
 * a service that never answers must not lock its callers out for ever.
 */
public final class Executions {

  /** One connection has a part of this size at most, or its credits. */
  private static final int PARTS = 16;

  /** One that is not counted. */
  public static final Execution UNBOUNDED = ended();

  private final int most;
  private final long lonelyNanos;
  private final AtomicInteger count = new AtomicInteger();
  /** Guarded by itself: those that nobody waits for, in the order in which they were left. */
  private final Set<Execution> lonely = new LinkedHashSet<>();

  /**
   * Creates it empty.
   *
   * @param most in all
   * @param lonelyNanos for how long one counts that nobody waits for
   */
  public Executions(int most, long lonelyNanos) {
    this.most = most;
    this.lonelyNanos = lonelyNanos;
  }

  private static Execution ended() {
    Execution execution = new Executions(1, 0).part(1).begin(0);
    execution.end();
    return execution;
  }

  /**
   * The part of a connection that has none yet.
   *
   * @param credits what it may have at least
   */
  public Part part(int credits) {
    return new Part(Math.max(credits, most / PARTS));
  }

  /** How many are remembered that nobody waits for. */
  int lonely() {
    synchronized (lonely) {
      return lonely.size();
    }
  }

  /** Those of one connection. */
  public final class Part {

    private final int mostHere;
    private final AtomicInteger here = new AtomicInteger();

    private Part(int mostHere) {
      this.mostHere = mostHere;
    }

    /**
     * Begins one.
     *
     * @param now the time
     * @return null if there are too many
     */
    public Execution begin(long now) {
      if (take()) {
        return new Execution(this);
      }
      forget(now);
      return take() ? new Execution(this) : null;
    }

    /** How many there are. */
    public int here() {
      return here.get();
    }

    /** How many there are of all connections. */
    public int inAll() {
      return count.get();
    }

    private boolean take() {
      if (here.incrementAndGet() <= mostHere) {
        if (count.incrementAndGet() <= most) {
          return true;
        }
        count.decrementAndGet();
      }
      here.decrementAndGet();
      return false;
    }

    private void giveBack() {
      here.decrementAndGet();
      count.decrementAndGet();
    }
  }

  /** One of them. From any thread. */
  public final class Execution {

    private final Part part;
    private final AtomicBoolean ended = new AtomicBoolean();
    /** Set before it is among those that nobody waits for. */
    private volatile boolean left;
    /** Guarded by those that nobody waits for. */
    private long until;

    private Execution(Part part) {
      this.part = part;
    }

    /** Its service has answered, or will never get it; once or more often. */
    public void end() {
      if (ended.compareAndSet(false, true)) {
        part.giveBack();
        if (left) {
          synchronized (lonely) {
            lonely.remove(this);
          }
        }
      }
    }

    /**
     * Nobody waits for it any more, or its connection is lost; what comes second counts for nothing.
     *
     * @param now the time
     */
    public void leave(long now) {
      if (left) {
        return;
      }
      left = true;
      synchronized (lonely) {
        if (!ended.get()) {
          until = now + lonelyNanos;
          lonely.add(this);
        }
      }
    }
  }

  private void forget(long now) {
    synchronized (lonely) {
      for (Iterator<Execution> each = lonely.iterator(); each.hasNext();) {
        Execution next = each.next();
        if (next.until - now > 0) {
          return;
        }
        each.remove();
        next.end();
      }
    }
  }
}
