// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.memory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** How much a pool lends. */
class PoolBoundTest {

  /** Fails if a pool lends what an allocation would not get. */
  @Test
  @DisplayName("A pool lends no more than most of direct memory, and says by which option there would be more")
  void directMemory() {
    PoolBound bound = PoolBound.of(2L << 30, 64 << 20);
    assertThat(bound.bytes()).isEqualTo(56 << 20);
    assertThat(bound.reached()).contains("58720256 bytes", "-XX:MaxDirectMemorySize", "maxPoolBytes is 2147483648");
  }

  @Test
  @DisplayName("What its option says is what it lends, if there is as much")
  void option() {
    PoolBound bound = PoolBound.of(56 << 20, 64 << 20);
    assertThat(bound.bytes()).isEqualTo(56 << 20);
    assertThat(bound.reached()).isEqualTo("maxPoolBytes (58720256)");
  }
}
