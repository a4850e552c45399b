// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.decode.gss;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Contexts without end. */
@DisplayName("Contexts of a capture")
final class ContextTableTest {

  private final ContextTable table = new ContextTable();
  private final InetAddress server = InetAddress.getLoopbackAddress();

  private static byte[] handle(int number) {
    return ByteBuffer.allocate(4).putInt(number).array();
  }

  private KnownContext find(int number) {
    return table.find(server, handle(number), elsewhere -> true);
  }

  /** Fails if {@code ContextTable.Recent} keeps all contexts, or forgets one that is used. */
  @Test
  @DisplayName("The context that was not named for longest is forgotten behind 4,096")
  void most() {
    for (int i = 0; i <= 4096; i++) {
      table.put(server, handle(i), new UnopenedContext("context " + i, ""));
      assertThat(find(0)).isNotNull();
      assertThat(table.hasForgotten()).isEqualTo(i == 4096);
    }
    assertThat(find(1)).isNull();
    assertThat(find(2).name()).isEqualTo("context 2");
    assertThat(find(4096).name()).isEqualTo("context 4096");
  }
}
