// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.verbs.support.PageMemory;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** How much a pool lends. */
class PoolBoundTest {

  private static final int BLOCK = 4096;

  /** Fails if a pool lends what an allocation would not get. */
  @Test
  @DisplayName("A pool lends no more than most of direct memory, and says by which option there would be more")
  void directMemory() {
    PoolBound bound = PoolBound.of(2L << 30, 64 << 20);
    assertThat(bound.bytes()).isEqualTo(56 << 20);
    assertThat(bound.fits(1 << 20, 54L << 20, 54L << 20)).isTrue();
    assertThat(bound.fits(1 << 20, 55L << 20, 55L << 20)).as("with the page that it begins with").isFalse();
    assertThat(bound.reached(1 << 20, 55L << 20, 55L << 20))
        .contains("58720256 bytes", "-XX:MaxDirectMemorySize", "maxPoolBytes is 2147483648");
  }

  /** Fails if blocks count as what is lent of them: twice as much is allocated for those of a page. */
  @Test
  @DisplayName("Small blocks count as what they take")
  void smallBlocks() {
    PoolBound bound = PoolBound.of(56 << 20, 64 << 20);
    int blocks = 0;
    long taken = 0;
    while (bound.fits(BLOCK, (long) blocks * BLOCK, taken)) {
      blocks++;
      taken += 2 * BLOCK - 1;
    }
    assertThat(taken).isBetween((56L << 20) - 2 * BLOCK, 56L << 20);
    assertThat(bound.reached(BLOCK, (long) blocks * BLOCK, taken)).contains("-XX:MaxDirectMemorySize");
  }

  @Test
  @DisplayName("What its option says is what it lends, if there is as much")
  void option() {
    PoolBound bound = PoolBound.of(40 << 20, 64 << 20);
    assertThat(bound.bytes()).isEqualTo(40 << 20);
    assertThat(bound.fits(1 << 20, 39L << 20, 39L << 20)).isTrue();
    assertThat(bound.fits(1 << 20, 40L << 20, 40L << 20)).isFalse();
    assertThat(bound.reached(1 << 20, 40L << 20, 40L << 20)).isEqualTo("maxPoolBytes (41943040)");
  }

  /** Fails if {@code PoolBound.fits} is a byte off. */
  @Test
  @DisplayName("A pool lends what it has to the last byte, of its option and of direct memory")
  void lastByte() {
    PoolBound option = new PoolBound(2 * BLOCK, Long.MAX_VALUE);
    assertThat(option.fits(BLOCK, BLOCK, 0)).isTrue();
    assertThat(option.fits(BLOCK, BLOCK + 1, 0)).isFalse();
    PoolBound direct = new PoolBound(1 << 20, BLOCK + PageMemory.taken(BLOCK));
    assertThat(direct.fits(BLOCK, 0, BLOCK)).isTrue();
    assertThat(direct.fits(BLOCK, 0, BLOCK + 1)).isFalse();
  }

  /** Fails if {@code PoolBound.reached} names an option that would not help. */
  @Test
  @DisplayName("Direct memory is named only if there is less than the option says, or than the block would take")
  void named() {
    PoolBound equal = new PoolBound(1 << 20, 1 << 20);
    long just = (1 << 20) - PageMemory.taken(BLOCK);
    assertThat(equal.reached(BLOCK, 1 << 20, just)).isEqualTo("maxPoolBytes (1048576)");
    assertThat(equal.reached(BLOCK, 1 << 20, just + 1)).contains("-XX:MaxDirectMemorySize");
    assertThat(new PoolBound((1 << 20) + 1, 1 << 20).reached(BLOCK, 0, 0)).contains("-XX:MaxDirectMemorySize");
  }
}
