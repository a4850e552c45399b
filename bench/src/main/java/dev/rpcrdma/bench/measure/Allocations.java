// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.measure;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;

/** What event loops have allocated. */
public final class Allocations {

  private static final ThreadMXBean THREADS =
      (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private Allocations() {}

  /**
   * The sum over all event loops of this process since it started.
   *
   * @return bytes
   */
  public static long ofEventLoops() {
    long sum = 0;
    for (ThreadInfo thread : THREADS.getThreadInfo(THREADS.getAllThreadIds())) {
      if (thread != null && thread.getThreadName().contains("eventloop")) {
        sum += THREADS.getThreadAllocatedBytes(thread.getThreadId());
      }
    }
    return sum;
  }
}
