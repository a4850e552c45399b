// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.call;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Calls that were handed over to a service whose threads have not begun to execute them. Thread-safe.
 *
 * <p>Threads execute calls in order, and a call that was handed over cannot be taken back. If its caller has timed out
 * by then, the work is wasted. So the server rejects a call that would wait for more than half of its remaining time.
 * The estimate is the waiting time of recent calls, divided by their positions in the queue.
 */
public final class Backlog {

  /** Divisor of the difference by which one call changes the estimate. */
  private static final int WEIGHT = 4;

  private final AtomicInteger waiting = new AtomicInteger();
  /** Estimated wait in nanoseconds for each call ahead. Concurrent updates may overwrite each other. */
  private volatile long nanosForEach;
  /** Time in nanoseconds at which the service last began to execute a call. */
  private volatile long lastBegun;

  /**
   * Returns whether the service may be handed over one more call.
   *
   * @param most bound of waiting calls
   * @param nanosLeft remaining time of the call; may be negative
   */
  public boolean takes(int most, long nanosLeft) {
    int ahead = waiting.get();
    return ahead == 0 || ahead < most && ahead * nanosForEach <= nanosLeft / 2;
  }

  /**
   * Adds a call.
   *
   * @param now time in nanoseconds
   * @return number of calls ahead
   */
  public int add(long now) {
    int ahead = waiting.getAndIncrement();
    if (ahead == 0 && now - lastBegun > nanosForEach) {
      // The service was idle for longer than the estimate: the estimate is out of date.
      nanosForEach = 0;
    }
    return ahead;
  }

  /**
   * Removes a call that the service begins to execute, and updates the estimate.
   *
   * @param ahead number of calls that were ahead
   * @param added time in nanoseconds at which the call was added
   * @param now time in nanoseconds
   */
  public void begin(int ahead, long added, long now) {
    lastBegun = now;
    waiting.decrementAndGet();
    long waited = now - added;
    long known = nanosForEach;
    nanosForEach = known + (waited / (ahead + 1) - known) / WEIGHT;
  }

  /** Removes a call that the service will not execute. */
  public void remove() {
    waiting.decrementAndGet();
  }

  /** Returns the number of waiting calls. */
  public int waiting() {
    return waiting.get();
  }
}
