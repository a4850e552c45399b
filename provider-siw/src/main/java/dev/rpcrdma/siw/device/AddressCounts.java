// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.device;

import java.net.InetAddress;
import java.util.concurrent.ConcurrentHashMap;

/** How many of something each remote address has, so that none takes all. Safe for all threads. */
final class AddressCounts {

  private final int most;
  private final ConcurrentHashMap<InetAddress, Integer> counts = new ConcurrentHashMap<>();

  /**
   * Creates counts of zero.
   *
   * @param most how many an address may have
   */
  AddressCounts(int most) {
    this.most = most;
  }

  /**
   * One more, to be given back to {@link #leave}.
   *
   * @return false if the address has as many as it may; nothing is to be given back then
   */
  boolean enter(InetAddress address) {
    boolean entered = counts.merge(address, 1, Integer::sum) <= most;
    if (!entered) {
      leave(address);
    }
    return entered;
  }

  /** One less. */
  void leave(InetAddress address) {
    counts.computeIfPresent(address, (same, count) -> count == 1 ? null : count - 1);
  }
}
