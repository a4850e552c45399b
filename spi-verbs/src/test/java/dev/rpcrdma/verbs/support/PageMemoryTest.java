// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PageMemoryTest {

  /** Fails if {@code PageMemory.allocate} does not slice, or slices from another index. */
  @ParameterizedTest(name = "{0} bytes")
  @ValueSource(ints = {0, 1, 4095, 4096, 4097, 1 << 20})
  @DisplayName("Memory begins with a page, and has the capacity that was asked for")
  void begins(int bytes) {
    for (int i = 0; i < 8; i++) {
      ByteBuffer memory = PageMemory.allocate(bytes);
      assertThat(memory.alignmentOffset(0, 4096)).isZero();
      assertThat(memory.capacity()).isEqualTo(bytes);
      assertThat(memory.isDirect()).isTrue();
    }
  }

  @Test
  @DisplayName("Memory takes up to a page more than it has, unless that would be more than a buffer can have")
  void taken() {
    assertThat(PageMemory.taken(0)).isEqualTo(4095);
    assertThat(PageMemory.taken(4096)).isEqualTo(8191);
    assertThat(PageMemory.taken(Integer.MAX_VALUE - 4096)).isEqualTo(Integer.MAX_VALUE - 1);
    assertThat(PageMemory.taken(Integer.MAX_VALUE - 4095)).isEqualTo(Integer.MAX_VALUE - 4095);
  }
}
