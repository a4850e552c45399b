// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.requester;

/** How large the results of a call are, without placed items but with their length words. */
public interface ResultBounds {

  /**
   * Returns the size of the largest results.
   *
   * @return a number of bytes, not negative
   */
  int max();

  /**
   * Returns the size of results as they mostly are. Where replies can be pulled, room for the largest is offered only
   * if it takes a Reply chunk for these already; what is larger than what was offered is pulled.
   *
   * @return a number of bytes, not negative; 0 if nobody knows
   */
  int typical();

  /**
   * Returns bounds that are known beforehand.
   *
   * @param typical of most results, in bytes
   * @param max of the largest, in bytes
   * @return the bounds
   */
  static ResultBounds of(int typical, int max) {
    return new Known(typical, max);
  }

  /**
   * Bounds that are known beforehand.
   *
   * @param typical of most results, in bytes
   * @param max of the largest, in bytes
   */
  record Known(int typical, int max) implements ResultBounds {}
}
