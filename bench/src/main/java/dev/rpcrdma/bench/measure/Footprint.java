// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.measure;

import io.netty.buffer.PooledByteBufAllocator;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;

/** How much memory this process holds on to. */
public final class Footprint {

  private static final int COLLECTIONS = 3;

  private Footprint() {}

  /**
   * The live objects, direct buffers and what Netty's allocator has taken.
   *
   * @return bytes, after garbage collections
   */
  public static long bytes() {
    for (int i = 0; i < COLLECTIONS; i++) {
      // The first one finds what the later ones may free: buffers whose objects have gone.
      System.gc();
    }
    long direct = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed).sum();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() + direct
        + PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory();
  }
}
