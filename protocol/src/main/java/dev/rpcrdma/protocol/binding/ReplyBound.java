// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.binding;

/**
 * The largest results a procedure can have, not counting data items that have a Write chunk
 * the maximum-reply-size rule).
 *
 * @param bytes the bound, or -1 if the size cannot be predicted
 */
public record ReplyBound(int bytes) {

  /** The size cannot be predicted: the caller's own limit decides. */
  public static final ReplyBound UNPREDICTABLE = new ReplyBound(-1);

  /** Checks the range. */
  public ReplyBound {
    if (bytes < -1) {
      throw new IllegalArgumentException("A reply bound must not be negative: " + bytes);
    }
  }

  /**
   * A known bound.
   *
   * @param bytes the largest size of the encoded results
   * @return the bound
   */
  public static ReplyBound of(int bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException("A reply bound must not be negative: " + bytes);
    }
    return new ReplyBound(bytes);
  }

  /**
   * Whether the size can be predicted.
   *
   * @return true if {@link #bytes()} is a bound
   */
  public boolean predictable() {
    return bytes >= 0;
  }
}
