// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.queue;

import java.lang.reflect.Array;

/**
 * Arithmetic of rings, whose sizes are powers of two. They begin small and double when they are full: what an
 * entry is kept for has been posted, or sent by the peer, and a depth that is only announced costs nothing.
 */
final class Rings {

  private static final int FIRST_SLOTS = 16;

  private Rings() {}

  /**
   * How many slots a ring begins with.
   *
   * @param capacity most entries
   * @return a power of two
   */
  static int firstSize(int capacity) {
    return Math.min(FIRST_SLOTS, Math.max(1, Integer.highestOneBit(Math.max(1, capacity - 1)) << 1));
  }

  /**
   * Moves what is in a ring to its place in one of another size.
   *
   * @param from array of the one ring
   * @param to array of the other
   * @param head index of the oldest entry
   * @param tail index behind the newest one
   */
  static void move(Object from, Object to, long head, long tail) {
    int fromMask = Array.getLength(from) - 1;
    int toMask = Array.getLength(to) - 1;
    for (long i = head; i < tail; i++) {
      System.arraycopy(from, (int) i & fromMask, to, (int) i & toMask, 1);
    }
  }
}
