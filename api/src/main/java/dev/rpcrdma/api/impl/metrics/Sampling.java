// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.metrics;

/**
 * Which of many are looked at closely: all of the first, and then one of several, since reading the clock takes longer
 * than what is to be timed. One thread at a time, or nobody minds a miss.
 */
final class Sampling {

  private final int every;
  private int seen;

  /**
   * Begins.
   *
   * @param every one of so many, a power of two; of the first all of so many
   */
  Sampling(int every) {
    this.every = every;
  }

  /** Whether the next one is looked at. */
  boolean next() {
    int place = seen;
    // Not negative again when it has gone round.
    seen = place + 1 & Integer.MAX_VALUE;
    return place < every || (place & every - 1) == 0;
  }
}
