// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit.fabric;

import dev.rpcrdma.verbs.support.GuardedCopy;
import dev.rpcrdma.verbs.support.HostMemory;

/**
 * The memory of one end's Sends, Writes and Reads, which the peer's event loop reads and fills. As soon as it has ended
 * the peer reaches none of it any more, and it can be given back to its consumer. Safe for all threads.
 */
final class RequestMemory {

  /** Copied at a time, so that {@link #end} does not wait for long. */
  private static final int PIECE = 256 * 1024;

  private boolean ended;

  /**
   * Copies bytes from or to this memory.
   *
   * @param transfer from where to where, checked
   * @param length number of bytes
   * @return false if this memory has ended before all was copied
   * @throws InternalError if a mapped file has been truncated
   */
  boolean copy(Transfer transfer, int length) {
    int done = 0;
    do {
      int piece = Math.min(PIECE, length - done);
      synchronized (this) {
        if (ended) {
          return false;
        }
        copy(transfer.from(), transfer.fromIndex() + done, transfer.to(), transfer.toIndex() + done, piece);
      }
      done += piece;
    } while (done < length);
    return true;
  }

  private static void copy(HostMemory from, int fromIndex, HostMemory to, int toIndex, int length) {
    if (from.mapped()) {
      GuardedCopy.copy(to.buffer(), toIndex, from.buffer(), fromIndex, length);
    } else {
      to.place(toIndex, from.buffer(), fromIndex, length);
    }
  }

  /** Nothing is copied any more when this returns. */
  synchronized void end() {
    ended = true;
  }
}
