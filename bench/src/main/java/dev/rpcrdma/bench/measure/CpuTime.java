// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.measure;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;

/** What this process has taken of the processors. */
public final class CpuTime {

  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private CpuTime() {}

  /**
   * The time of all its threads since it started.
   *
   * @return nanoseconds
   */
  public static long nanos() {
    return SYSTEM.getProcessCpuTime();
  }

  /**
   * The time of some of its threads since they started.
   *
   * @param name what is in their names
   * @return nanoseconds; those of threads that have ended are not in it
   */
  public static long nanosOf(String name) {
    long sum = 0;
    for (ThreadInfo thread : THREADS.getThreadInfo(THREADS.getAllThreadIds())) {
      if (thread != null && thread.getThreadName().contains(name)) {
        sum += Math.max(0, THREADS.getThreadCpuTime(thread.getThreadId()));
      }
    }
    return sum;
  }

  /**
   * The time of the calling thread since it started.
   *
   * @return nanoseconds
   */
  public static long nanosOfThread() {
    return THREADS.getCurrentThreadCpuTime();
  }
}
