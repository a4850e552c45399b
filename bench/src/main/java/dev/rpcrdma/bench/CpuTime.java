package dev.rpcrdma.bench;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** What this process has taken of the processors. */
public final class CpuTime {

  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private CpuTime() {}

  /**
   * The time of all its threads since it started.
   *
   * @return nanoseconds
   */
  public static long nanos() {
    return SYSTEM.getProcessCpuTime();
  }
}
