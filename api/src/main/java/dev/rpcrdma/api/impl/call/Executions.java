// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.call;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/**
 * Bounds the calls that services execute at a time, in all and for each connection. Credits do not bound them: a caller
 * that cancels a call has its credit back while the service continues. Thread-safe.
 *
 * <p>An execution ends when the service answers. An abandoned execution counts for at most the service timeout, so that
 * a service that never answers does not block its callers permanently.
 */
public final class Executions {

  /** Divisor of the total that gives the bound of one connection. */
  private static final int PARTS = 16;

  private static final AtomicIntegerFieldUpdater<Execution> ENDED =
      AtomicIntegerFieldUpdater.newUpdater(Execution.class, "ended");

  /** Execution that no bound counts, for calls that are answered at once. */
  public static final Execution UNBOUNDED = ended();

  private final int most;
  private final long lonelyNanos;
  private final AtomicInteger count = new AtomicInteger();
  /** Abandoned executions in the order of {@link Execution#until}. Guarded by itself. */
  private final Set<Execution> lonely = new LinkedHashSet<>();

  /**
   * Creates an empty bound.
   *
   * @param most bound of all connections together
   * @param lonelyNanos time for which an abandoned execution counts
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
   * Returns the bound of a new connection.
   *
   * @param credits credits granted to the peer: the least bound
   */
  public Part part(int credits) {
    return new Part(Math.max(credits, most / PARTS));
  }

  /** Returns the number of abandoned executions. */
  int lonely() {
    synchronized (lonely) {
      return lonely.size();
    }
  }

  /** Executions of one connection. */
  public final class Part {

    private final int mostHere;
    private final AtomicInteger here = new AtomicInteger();

    private Part(int mostHere) {
      this.mostHere = mostHere;
    }

    /**
     * Begins an execution.
     *
     * @param now time in nanoseconds
     * @return null if a bound is reached
     */
    public Execution begin(long now) {
      if (take()) {
        return new Execution(this);
      }
      forget(now);
      return take() ? new Execution(this) : null;
    }

    /** Returns the number of executions of this connection. */
    public int here() {
      return here.get();
    }

    /** Returns the number of executions of all connections. */
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

  /** Execution of one call. Thread-safe. */
  public final class Execution {

    private final Part part;
    /** Changed once, by {@link #ENDED}. */
    private volatile int ended;
    /** True before this execution is added to the abandoned ones. */
    private volatile boolean left;
    /** Time in nanoseconds until which an abandoned execution counts. Guarded by the abandoned ones. */
    private long until;

    private Execution(Part part) {
      this.part = part;
    }

    /** Ends this execution: the service has answered, or will never execute the call. Idempotent. */
    public void end() {
      if (ENDED.compareAndSet(this, 0, 1)) {
        part.giveBack();
        if (left) {
          synchronized (lonely) {
            lonely.remove(this);
          }
        }
      }
    }

    /**
     * Called when the caller has cancelled, timed out, or lost the connection. Idempotent.
     *
     * @param now time in nanoseconds
     */
    public void leave(long now) {
      if (left) {
        return;
      }
      left = true;
      synchronized (lonely) {
        if (ended == 0) {
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
