// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.gss;

/**
 * Which sequence numbers of a context a server still takes (RFC 2203 §5.3.3.1): those above the highest one that it has
 * seen, and of the window below it those that it has not. All others belong to calls that came before, or too late,
 * and are dropped without an answer. One context, one thread at a time.
 *
 * <p>A number is taken only when the head of its call has been verified: else anybody could use up the numbers of
 * others.
 */
public final class SequenceWindow {

  private final int size;
  /** A bit for each number of the window, at its remainder. */
  private final long[] seen;
  /** All numbers are above. */
  private long highest = -1;

  /**
   * A window that has seen nothing.
   *
   * @param size how many numbers, the highest among them; at least 1
   */
  public SequenceWindow(int size) {
    if (size < 1) {
      throw new IllegalArgumentException("A sequence window has at least one number");
    }
    this.size = size;
    this.seen = new long[(size + Long.SIZE - 1) / Long.SIZE];
  }

  /**
   * How many numbers back calls are taken.
   *
   * @return as it was made with
   */
  public int size() {
    return size;
  }

  /**
   * Takes the number of a call whose head is verified.
   *
   * @param sequence unsigned
   * @return false if the call has to be dropped
   */
  public boolean take(int sequence) {
    long number = Integer.toUnsignedLong(sequence);
    if (number > highest) {
      forget(number);
      highest = number;
    } else if (number <= highest - size || isSeen(number)) {
      return false;
    }
    seen[word(number)] |= bit(number);
    return true;
  }

  /** The places of numbers between the highest one and a new one are free again. */
  private void forget(long number) {
    long first = Math.max(highest + 1, number - size + 1);
    for (long gone = first; gone <= number; gone++) {
      seen[word(gone)] &= ~bit(gone);
    }
  }

  private boolean isSeen(long number) {
    return (seen[word(number)] & bit(number)) != 0;
  }

  private int word(long number) {
    return (int) (number % size) / Long.SIZE;
  }

  private long bit(long number) {
    return 1L << (int) (number % size) % Long.SIZE;
  }
}
