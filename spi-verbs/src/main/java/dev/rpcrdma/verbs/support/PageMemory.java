// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.support;

import java.nio.ByteBuffer;

/**
 * Direct memory that begins with a page. A device pins whole pages: what begins in the middle of one takes one more,
 * which belongs to others as well, from what the limit of locked memory allows.
 */
public final class PageMemory {

  /** The smallest page of the processors that are known; others have a multiple. */
  private static final int PAGE = 4096;

  private PageMemory() {}

  /**
   * How much of direct memory a buffer takes.
   *
   * @param bytes its capacity; not negative
   * @return in bytes; up to a page more
   */
  public static long taken(int bytes) {
    return bytes > Integer.MAX_VALUE - PAGE ? bytes : bytes + PAGE - 1L;
  }

  /**
   * Allocates memory.
   *
   * @param bytes how much; not negative
   * @return a buffer of that capacity, all zero
   * @throws OutOfMemoryError if there is no direct memory
   */
  public static ByteBuffer allocate(int bytes) {
    if (bytes > Integer.MAX_VALUE - PAGE) {
      return ByteBuffer.allocateDirect(bytes);
    }
    ByteBuffer whole = ByteBuffer.allocateDirect(bytes + PAGE - 1);
    return whole.slice((PAGE - whole.alignmentOffset(0, PAGE)) % PAGE, bytes);
  }
}
