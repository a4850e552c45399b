// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.gss;

import java.util.BitSet;
import java.util.OptionalInt;

/**
 * Sequence numbers of a context that its client gives to calls. The server drops what comes after a number that is a
 * whole window higher (RFC 2203 §5.3.3.1), without an answer. So no number is given while one that is so much lower may
 * still be on its way. Only its reply proves that it has arrived: over several connections, and with heads that are
 * pulled, later numbers may overtake it. A call that takes long so uses up the span, and other calls need another
 * context. One thread at a time.
 */
final class SequenceNumbers {

  private final int window;
  /** Of the numbers from the oldest one on. */
  private final BitSet ended = new BitSet();
  private long oldest;
  private long next;

  /**
   * Begins.
   *
   * @param window of the server, at least 1
   * @param first number
   */
  SequenceNumbers(int window, int first) {
    this.window = window;
    this.oldest = Integer.toUnsignedLong(first);
    this.next = oldest;
  }

  /** Whether there are none left, so that another context is needed. */
  boolean isExhausted() {
    return next >= Integer.toUnsignedLong(GssCredential.SEQUENCE_LIMIT);
  }

  /** Whether {@link #take} gives a number now. */
  boolean hasRoom() {
    return !isExhausted() && next - oldest < window;
  }

  /** The next number; empty as long as the window has no room for it. */
  OptionalInt take() {
    return hasRoom() ? OptionalInt.of((int) next++) : OptionalInt.empty();
  }

  /** The call of that number is answered, or nobody minds what becomes of it. */
  void end(int number) {
    long at = Integer.toUnsignedLong(number) - oldest;
    if (at < 0 || at >= next - oldest) {
      return;
    }
    ended.set((int) at);
    int gone = ended.nextClearBit(0);
    if (gone > 0) {
      oldest += gone;
      BitSet rest = ended.get(gone, ended.length());
      ended.clear();
      ended.or(rest);
    }
  }
}
