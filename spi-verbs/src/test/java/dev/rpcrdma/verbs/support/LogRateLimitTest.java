// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LogRateLimitTest {

  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  /** Fails if {@code LogRateLimit.due} leaves {@code last} as it is. */
  @Test
  @DisplayName("warns at once, and again after ten seconds, also where nanoTime turns negative")
  void tenSeconds() {
    for (long start : new long[] {0, 7, Long.MAX_VALUE - 3}) {
      LogRateLimit pace = new LogRateLimit(start);
      assertThat(pace.due(start)).isTrue();
      assertThat(pace.due(start)).isFalse();
      assertThat(pace.due(start + 10 * SECOND - 1)).isFalse();
      assertThat(pace.due(start + 10 * SECOND)).isTrue();
      assertThat(pace.due(start + 11 * SECOND)).isFalse();
      assertThat(pace.due(start + 20 * SECOND)).isTrue();
    }
  }
}
