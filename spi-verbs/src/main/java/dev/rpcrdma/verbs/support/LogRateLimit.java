// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.support;

import java.time.Duration;

/** One warning in ten seconds of those that a peer can provoke as often as it likes. Of one event loop. */
public final class LogRateLimit {

  /** From one warning to the next. */
  public static final Duration BETWEEN = Duration.ofSeconds(10);

  private long last;

  /**
   * Creates one by which the first warning is due.
   *
   * @param now of {@link System#nanoTime()}
   */
  public LogRateLimit(long now) {
    last = now - BETWEEN.toNanos();
  }

  /**
   * Whether to warn now; the others are for those who ask for details.
   *
   * @param now of {@link System#nanoTime()}
   * @return true if the last time that it was true is long enough ago
   */
  public boolean due(long now) {
    if (now - last < BETWEEN.toNanos()) {
      return false;
    }
    last = now;
    return true;
  }
}
