// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.message;

/** A message that waits for its Read chunks. Hears of one of the two, once. */
public interface PullListener {

  /**
   * All of its Reads have ended, well or not, or could not be begun.
   *
   * @param now the time
   */
  void pulled(long now);

  /**
   * It was not begun in time, since other messages of this peer have held all the memory.
   *
   * @param now the time
   */
  void starved(long now);
}
