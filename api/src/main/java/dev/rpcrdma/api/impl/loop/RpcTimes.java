// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.loop;

import java.time.Duration;

/** Times that an application gives. */
public final class RpcTimes {

  private static final Duration LONGEST = Duration.ofDays(1);

  private RpcTimes() {}

  /**
   * How long what is under way may take when something is shut down.
   *
   * @param timeout what the application says
   * @return nanoseconds
   * @throws IllegalArgumentException if it is negative or longer than a day
   */
  public static long shutdown(Duration timeout) {
    if (timeout.isNegative() || timeout.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException("A shutdown takes 0 to 1 day, not " + timeout);
    }
    return timeout.toNanos();
  }
}
