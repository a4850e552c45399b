// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.session;

import java.util.random.RandomGenerator;

/** How long to wait before the next attempt: longer each time, and not in step with others. */
final class Backoff {

  private static final int MOST_DOUBLINGS = 32;

  private final ChannelSettings settings;
  private final RandomGenerator random;
  private int failures;

  Backoff(ChannelSettings settings, RandomGenerator random) {
    this.settings = settings;
    this.random = random;
  }

  void succeeded() {
    failures = 0;
  }

  /** All attempts have failed: what comes next counts anew, but not without a pause. */
  void restart() {
    failures = 1;
  }

  /** An attempt has failed; tells whether there may be another. */
  boolean failed() {
    failures++;
    return settings.attempts() == 0 || failures < settings.attempts();
  }

  /** Half to all of a time that doubles; none before anything has failed. */
  long delay() {
    if (failures == 0) {
      return 0;
    }
    int doublings = Math.min(failures - 1, MOST_DOUBLINGS);
    // Compared so, since what is doubled too often may be anything.
    long most = settings.firstDelay() > settings.maxDelay() >> doublings ? settings.maxDelay()
        : settings.firstDelay() << doublings;
    return most / 2 + random.nextLong(most - most / 2 + 1);
  }
}
