package dev.rpcrdma.api.impl.server;

import java.time.Duration;

/** One warning in ten seconds of those that a peer can provoke as often as it likes. Of one event loop. */
final class WarningPace {

  private static final long BETWEEN = Duration.ofSeconds(10).toNanos();

  private long last;

  WarningPace(long now) {
    last = now - BETWEEN;
  }

  /**
   * Whether to warn now; the others are for those who ask for details.
   *
   * @param now of {@link System#nanoTime()}
   * @return true if the last time that it was true is long enough ago
   */
  boolean due(long now) {
    if (now - last < BETWEEN) {
      return false;
    }
    last = now;
    return true;
  }
}
