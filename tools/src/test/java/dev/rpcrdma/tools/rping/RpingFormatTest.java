// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.rping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bytes and characters as rping of rdma-core has them. */
@DisplayName("rping: format")
final class RpingFormatTest {

  private static String filled(int size, int ping) {
    ByteBuffer buffer = ByteBuffer.allocate(size);
    RpingPattern.fill(buffer, ping);
    return new String(buffer.array(), StandardCharsets.ISO_8859_1);
  }

  @Test
  @DisplayName("The message is address, tag, size, big endian")
  void message() {
    ByteBuffer buffer = ByteBuffer.allocate(20);
    RpingInfo info = new RpingInfo(0xffff888012345678L, 0x083cea00, 3000);
    info.put(buffer, 4);
    assertThat(HexFormat.of().formatHex(buffer.array()))
        .isEqualTo("00000000ffff888012345678083cea0000000bb8");
    assertThat(RpingInfo.get(buffer, 4)).isEqualTo(info);
  }

  @Test
  @DisplayName("The characters go from A to z and around, one later with each ping")
  void pattern() {
    assertThat(filled(26, 0)).isEqualTo("rdma-ping-0: ABCDEFGHIJKL\0");
    assertThat(filled(26, 12)).isEqualTo("rdma-ping-12: MNOPQRSTUVW\0");
    assertThat(filled(80, 57)).startsWith("rdma-ping-57: zABC").endsWith("xyzABCDEF\0");
    assertThat(filled(80, 58)).startsWith("rdma-ping-58: ABC");
    assertThat(filled(26, Integer.MAX_VALUE)).startsWith("rdma-ping-2147483647: ").endsWith("\0");
  }

  @Test
  @DisplayName("Each byte counts in verification")
  void verification() {
    ByteBuffer buffer = ByteBuffer.allocate(100);
    RpingPattern.fill(buffer, 7);
    assertThat(RpingPattern.matches(buffer, 100, 7)).isTrue();
    assertThat(RpingPattern.matches(buffer, 100, 8)).isFalse();
    for (int i = 0; i < 100; i++) {
      buffer.put(i, (byte) (buffer.get(i) ^ 1));
      assertThat(RpingPattern.matches(buffer, 100, 7)).as("byte %d", i).isFalse();
      buffer.put(i, (byte) (buffer.get(i) ^ 1));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {25, 65_536})
  @DisplayName("Sizes that rping refuses are refused")
  void sizes(int size) {
    assertThatThrownBy(() -> RpingOptions.DEFAULT.verified(1, size))
        .isInstanceOf(IllegalArgumentException.class).hasMessageContaining(String.valueOf(size));
  }
}
