// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Sums of what connections carried. */
class TrafficStatisticsTest {

  /** Fails if {@code TrafficStatistics.plus}, or that of {@code MessageStatistics}, leaves a number out. */
  @Test
  @DisplayName("Each number is added to its own")
  void plus() {
    MessageStatistics messages = new MessageStatistics(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
    MessageStatistics more = new MessageStatistics(100, 200, 300, 400, 500, 600, 700, 800, 900, 1000);
    TrafficStatistics sum = new TrafficStatistics(11, 12, 13, 14, 15, messages, 16)
        .plus(new TrafficStatistics(1100, 1200, 1300, 1400, 1500, more, 1600));
    assertThat(sum).isEqualTo(new TrafficStatistics(1111, 1212, 1313, 1414, 1515,
        new MessageStatistics(101, 202, 303, 404, 505, 606, 707, 808, 909, 1010), 1616));
    assertThat(sum.plus(TrafficStatistics.NONE)).isEqualTo(sum);
  }
}
