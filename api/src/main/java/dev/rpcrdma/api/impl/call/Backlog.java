// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.call;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * The calls that a service was handed over and has not begun with, since its threads are busy. From any thread.
 *
 * <p>Threads take calls in their order, and nobody can take one out: what waits for too long is in vain when its turn
 * comes, and with it the time of the next. So a call is not even handed over that would wait for more than half of the
 * time that it has. How long it would wait is known by those that have begun: how long each has waited for every one
 * that was ahead of it.
 */
public final class Backlog {

  /** How much of the difference one call makes to what is known, as a divisor. */
  private static final int WEIGHT = 4;

  private final AtomicInteger waiting = new AtomicInteger();
  /** Two that begin at once may overwrite each other: either is as good. */
  private volatile long nanosForEach;
  private volatile long lastBegun;

  /**
   * Whether it takes a call more.
   *
   * @param most how many may wait
   * @param nanosLeft how much time the call has
   */
  public boolean takes(int most, long nanosLeft) {
    int ahead = waiting.get();
    return ahead == 0 || ahead < most && ahead * nanosForEach <= nanosLeft / 2;
  }

  /**
   * A call is handed over.
   *
   * @param now the time, in nanoseconds
   * @return how many wait ahead of it
   */
  public int add(long now) {
    int ahead = waiting.getAndIncrement();
    if (ahead == 0 && now - lastBegun > nanosForEach) {
      // The service has had nothing to do for so long that what was known of it is old.
      nanosForEach = 0;
    }
    return ahead;
  }

  /**
   * The service begins with a call.
   *
   * @param ahead how many were ahead of it
   * @param added when it was handed over
   * @param now the time, in nanoseconds
   */
  public void begin(int ahead, long added, long now) {
    lastBegun = now;
    waiting.decrementAndGet();
    long waited = now - added;
    long known = nanosForEach;
    nanosForEach = known + (waited / (ahead + 1) - known) / WEIGHT;
  }

  /** A call that was handed over will not be begun with. */
  public void remove() {
    waiting.decrementAndGet();
  }

  /** How many wait. */
  public int waiting() {
    return waiting.get();
  }
}
