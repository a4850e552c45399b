// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.capture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Golden bytes of pcapng. */
@DisplayName("Blocks of capture files")
final class PcapngWriterTest {

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final PcapngWriter writer = new PcapngWriter(out);

  private void assertWritten(String hex) {
    assertThat(HexFormat.of().formatHex(out.toByteArray())).isEqualTo(hex.replace(" ", ""));
  }

  @Test
  @DisplayName("A file begins with a section and one interface of raw IP, in nanoseconds")
  void header() throws IOException {
    writer.writeFileHeader("apple");
    assertWritten("0a0d0d0a 2c000000 4d3c2b1a 0100 0000 ffffffffffffffff 0400 0500 6170706c65 000000 00000000 2c000000"
        + "01000000 20000000 6500 0000 00000000 0900 0100 09000000 00000000 20000000");
  }

  /** Fails if {@code PcapngWriter.writePacket} leaves out where its bytes begin in their array, or their padding. */
  @Test
  @DisplayName("A packet has its time, both lengths, the bytes from position to limit, and zeros up to a word")
  void packet() throws IOException {
    ByteBuffer slice = ByteBuffer.wrap(new byte[] {1, 2, 3, 4, 5, 6, 7, 8}).slice(2, 6);
    writer.writePacket(0x0123456789ABCDEFL, slice.position(1));
    assertWritten("06000000 28000000 00000000 67452301 efcdab89 05000000 05000000 0405060708 000000 28000000");
  }
}
