// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.memory;

import io.netty.util.internal.PlatformDependent;

/**
 * What a pool lends at once: as much as its option says, and no more than most of the direct memory that the JVM has.
 * Beyond that an allocation would fail, where those who wait get what others give back.
 *
 * @param bytes that are lent
 * @param option what the option says
 */
record PoolBound(long bytes, long option) {

  /** The rest is for messages. */
  private static final int PARTS = 8;

  /** The bound in this JVM. */
  static PoolBound of(long option) {
    return of(option, PlatformDependent.estimateMaxDirectMemory());
  }

  static PoolBound of(long option, long directMemory) {
    return new PoolBound(Math.min(option, directMemory / PARTS * (PARTS - 1)), option);
  }

  /** What chunks in use have reached if there is no memory for another one, and what helps. */
  String reached() {
    return bytes == option ? "maxPoolBytes (" + bytes + ")"
        : bytes + " bytes, which is all that direct memory has for them: raise -XX:MaxDirectMemorySize"
            + " (maxPoolBytes is " + option + ")";
  }
}
