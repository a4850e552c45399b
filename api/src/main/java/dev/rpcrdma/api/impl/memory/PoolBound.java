// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.memory;

import dev.rpcrdma.verbs.support.PageMemory;
import io.netty.util.internal.PlatformDependent;

/**
 * What a pool lends at once: as much as its option says, and no more than most of the direct memory that the JVM has.
 * Beyond that an allocation would fail, where those who wait get what others give back.
 *
 * @param option what the option says, of bytes that are lent
 * @param direct how much of direct memory they may take, which is more: each block begins with a page
 */
record PoolBound(long option, long direct) {

  /** The rest is for messages. */
  private static final int PARTS = 8;

  /** The bound in this JVM. */
  static PoolBound of(long option) {
    return of(option, PlatformDependent.estimateMaxDirectMemory());
  }

  static PoolBound of(long option, long directMemory) {
    return new PoolBound(option, directMemory / PARTS * (PARTS - 1));
  }

  /** The lesser of both. */
  long bytes() {
    return Math.min(option, direct);
  }

  /** Whether a block may be lent beside others. */
  boolean fits(int size, long lent, long taken) {
    return lent + size <= option && taken + PageMemory.taken(size) <= direct;
  }

  /** What there is no room in for another block beside others, and what helps. */
  String reached(int size, long lent, long taken) {
    return taken + PageMemory.taken(size) > direct || option > direct
        ? direct + " bytes, which is all that direct memory has for them: raise -XX:MaxDirectMemorySize"
            + " (maxPoolBytes is " + option + ")"
        : "maxPoolBytes (" + option + ")";
  }
}
