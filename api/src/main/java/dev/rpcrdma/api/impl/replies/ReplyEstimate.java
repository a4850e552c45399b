// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.replies;

/**
 * How long the replies of one procedure have lately been: as long as the longest of the last few. From any thread;
 * threads that look at replies at the same moment may miss one.
 */
public final class ReplyEstimate {

  /** What is shorter takes no room. */
  public static final int LEAST = 4096;

  /** What is expected of a procedure without a bound before its first reply. */
  static final int FIRST = 64 << 10;

  /** A length that is not seen any more is forgotten by an eighth with each reply. */
  private static final int FORGET_SHIFT = 3;

  private volatile int length;
  private volatile boolean seen;

  /**
   * Expects something of a procedure that has not been called.
   *
   * @param first bytes
   */
  ReplyEstimate(int first) {
    this.length = first;
  }

  /** How much room the next reply may take, in bytes; 0 if it needs none. */
  public int expected() {
    int now = length;
    return now < LEAST ? 0 : now;
  }

  /**
   * One more was made.
   *
   * @param bytes its length
   */
  public void made(int bytes) {
    int before = length;
    if (!seen) {
      length = bytes;
      seen = true;
    } else if (bytes > before) {
      length = bytes;
    } else if (bytes < before) {
      length = before - Math.max(1, before - bytes >> FORGET_SHIFT);
    }
  }
}
