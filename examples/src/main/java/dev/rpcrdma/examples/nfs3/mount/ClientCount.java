// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3.mount;

import java.util.HashMap;
import java.util.Map;

/** Counts the connections of clients, in all and of each address. Thread-safe. */
final class ClientCount {

  private final int max;
  private final int maxOfAddress;
  /** Guarded by this; without addresses that have none. */
  private final Map<String, Integer> counts = new HashMap<>();
  /** Guarded by this. */
  private int all;

  /**
   * Creates a count of none.
   *
   * @param max how many connections there are at a time
   * @param maxOfAddress how many of them come from one address
   */
  ClientCount(int max, int maxOfAddress) {
    this.max = max;
    this.maxOfAddress = maxOfAddress;
  }

  /**
   * Counts a connection, if there may be one more.
   *
   * @param address where it comes from
   * @return false if it must be ended; it is not counted then
   */
  synchronized boolean enter(String address) {
    if (all == max || counts.getOrDefault(address, 0) == maxOfAddress) {
      return false;
    }
    all++;
    counts.merge(address, 1, Integer::sum);
    return true;
  }

  /**
   * A connection that was counted has ended.
   *
   * @param address where it came from
   */
  synchronized void leave(String address) {
    all--;
    counts.computeIfPresent(address, (key, count) -> count == 1 ? null : count - 1);
  }
}
