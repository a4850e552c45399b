// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.capture.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Blocks and frames at the bounds of their lengths. */
@DisplayName("Lengths in captures")
final class PcapngBlocksTest {

  private static final int MICROSECONDS = 0xA1B2C3D4;
  private static final int RAW = 101;
  private static final int SECTION = 0x0A0D0D0A;
  private static final int INTERFACE = 1;
  private static final int OBSOLETE_PACKET = 2;
  private static final int SIMPLE_PACKET = 3;
  private static final int ENHANCED_PACKET = 6;
  private static final int UNKNOWN = 0xBAD;

  private final ByteArrayOutputStream file = new ByteArrayOutputStream();

  private void block(int type, byte[] body) {
    file.writeBytes(CaptureBytes.block(ByteOrder.BIG_ENDIAN, type, body));
  }

  private void section() {
    block(SECTION, ByteBuffer.allocate(16).putInt(0x1A2B3C4D).putInt(1 << 16).putLong(-1).array());
  }

  private void describe(int snapLength) {
    block(INTERFACE, ByteBuffer.allocate(8).putShort((short) RAW).putInt(4, snapLength).array());
  }

  private void packet(int type, int length, int bytes) {
    int fields = type == SIMPLE_PACKET ? 4 : 20;
    block(type, ByteBuffer.allocate(fields + bytes).putInt(type == SIMPLE_PACKET ? 0 : 12, length).array());
  }

  /** Returns the lengths of all frames. */
  private List<Integer> frames() throws IOException {
    PacketReader reader = PacketReader.of(new ByteArrayInputStream(file.toByteArray()));
    List<Integer> lengths = new ArrayList<>();
    for (CapturedPacket next = reader.next(); next != null; next = reader.next()) {
      lengths.add(next.bytes().remaining());
    }
    return lengths;
  }

  private void assertDamaged(String word) {
    assertThatThrownBy(this::frames).isInstanceOf(CaptureFormatException.class).hasMessageContaining(word);
  }

  @ParameterizedTest
  @ValueSource(ints = {OBSOLETE_PACKET, ENHANCED_PACKET})
  @DisplayName("A frame fills its block, or is empty; one that is a byte longer is refused")
  void frame(int type) throws IOException {
    section();
    describe(0);
    packet(type, 8, 8);
    packet(type, 5, 8);
    packet(type, 0, 0);
    assertThat(frames()).containsExactly(8, 5, 0);
    packet(type, 9, 8);
    assertDamaged("a frame of 9 bytes in a block of 28");
  }

  @Test
  @DisplayName("A simple packet is as long as its block at most, and as what its interface keeps")
  void simple() throws IOException {
    section();
    describe(10);
    packet(SIMPLE_PACKET, 7, 8);
    packet(SIMPLE_PACKET, 100, 8);
    packet(SIMPLE_PACKET, 100, 12);
    assertThat(frames()).containsExactly(7, 8, 10);
  }

  @Test
  @DisplayName("A simple packet of a section without interfaces is refused")
  void simpleOfNone() {
    section();
    packet(SIMPLE_PACKET, 7, 8);
    assertDamaged("not described");
  }

  @ParameterizedTest
  @ValueSource(ints = {INTERFACE, OBSOLETE_PACKET, SIMPLE_PACKET, ENHANCED_PACKET})
  @DisplayName("A block that has not the fields of its type is refused")
  void fields(int type) {
    section();
    describe(0);
    block(type, new byte[type == INTERFACE ? 4 : type == SIMPLE_PACKET ? 0 : 16]);
    assertDamaged("too short for its type");
  }

  @Test
  @DisplayName("Blocks of any length up to 16 MiB are passed over, also empty ones")
  void others() throws IOException {
    section();
    block(UNKNOWN, new byte[0]);
    block(UNKNOWN, new byte[PacketReader.MAX_FRAME_BYTES - 12]);
    assertThat(frames()).isEmpty();
    block(UNKNOWN, new byte[PacketReader.MAX_FRAME_BYTES - 8]);
    assertDamaged("a block of 16777220 bytes");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 8, 12})
  @DisplayName("A section header that says to be shorter than one is refused")
  void shortSection(int total) {
    file.writeBytes(ByteBuffer.allocate(28).putInt(SECTION).putInt(total).putInt(0x1A2B3C4D).array());
    assertDamaged("a block of " + total + " bytes");
  }

  @Test
  @DisplayName("pcap: a frame of 16 MiB is read, and one that is longer refused")
  void longest() throws IOException {
    byte[] longest = new byte[PacketReader.MAX_FRAME_BYTES];
    file.writeBytes(CaptureBytes.pcap(MICROSECONDS, ByteOrder.BIG_ENDIAN, RAW, List.of(longest, new byte[0])));
    assertThat(frames()).containsExactly(PacketReader.MAX_FRAME_BYTES, 0);
    file.writeBytes(ByteBuffer.allocate(16).putInt(8, PacketReader.MAX_FRAME_BYTES + 1).array());
    assertDamaged("a frame of 16777217 bytes");
  }
}
