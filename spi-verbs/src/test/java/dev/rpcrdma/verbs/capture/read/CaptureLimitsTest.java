// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.capture.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import dev.rpcrdma.verbs.capture.Packets;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Captures that would take more memory or time than what they have is worth. */
@DisplayName("Limits of reading captures")
final class CaptureLimitsTest {

  private static final int MICROSECONDS = 0xA1B2C3D4;
  private static final int RAW = 101;
  private static final int MOST_CONNECTIONS = 4096;
  private static final InetSocketAddress SERVER = address(0x0A000001, 20_049);

  private final List<String> told = new ArrayList<>();
  private final Counting counting = new Counting();

  /** Counts connections that are open, and writes down what is unusual. */
  private final class Counting implements ConversationHandler {

    private int open;
    private int mostOpen;

    @Override
    public void opened(Conversation conversation) {
      mostOpen = Math.max(mostOpen, ++open);
    }

    @Override
    public void bytes(Conversation conversation, long frame, boolean fromOpener, ByteBuffer bytes) {
      if (bytes.remaining() > 1) {
        told.add("bytes of " + conversation.number());
      }
    }

    @Override
    public void gap(Conversation conversation, long frame, boolean fromOpener, long missing) {
      told.add("gap of " + conversation.number());
    }

    @Override
    public void forgotten(Conversation conversation, long frame) {
      told.add("forgotten " + conversation.number() + " at " + frame);
    }

    @Override
    public void ended(Conversation conversation) {
      open--;
      told.add("end of " + conversation.number());
    }
  }

  private static InetSocketAddress address(int host, int port) {
    try {
      return new InetSocketAddress(InetAddress.getByAddress(ByteBuffer.allocate(4).putInt(host).array()), port);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private static byte[] packet(InetSocketAddress from, int sequence, int flags, int length) {
    return packet(from, SERVER, sequence, flags, length);
  }

  private static byte[] packet(InetSocketAddress from, InetSocketAddress to, int sequence, int flags, int length) {
    ByteBuffer out = ByteBuffer.allocate(100 + length);
    new Packets(from, to).put(out, sequence, 0, flags, ByteBuffer.allocate(length));
    return Arrays.copyOf(out.array(), out.limit());
  }

  private void read(List<byte[]> frames) throws IOException {
    CaptureFile.read(new ByteArrayInputStream(
        CaptureBytes.pcap(MICROSECONDS, ByteOrder.LITTLE_ENDIAN, RAW, frames)), counting);
  }

  /** Fails if {@code TcpAssembler.segment} does not ask how many connections there are, or forgets a busy one. */
  @Test
  @DisplayName("A flood of connections is followed for some thousands of them; the most silent one goes")
  void connections() throws IOException {
    List<byte[]> frames = new ArrayList<>();
    InetSocketAddress busy = address(1, 1);
    frames.add(packet(busy, 0, Packets.SYN, 0));
    for (int i = 0; i < 3 * MOST_CONNECTIONS; i++) {
      frames.add(packet(address(0x0B000000 + i, 2), 0, Packets.SYN, 0));
      if (i % 1000 == 0) {
        frames.add(packet(busy, 1 + i / 1000, Packets.ACK, 1));
      }
    }
    read(frames);
    assertThat(counting.mostOpen).isEqualTo(MOST_CONNECTIONS + 1);
    assertThat(counting.open).isZero();
    assertThat(told).contains("forgotten 2 at 4102", "end of 2");
    assertThat(told).filteredOn(each -> each.startsWith("forgotten 1 ")).isEmpty();
  }

  /** Fails if {@code TcpAssembler.ends} gives keys that cannot be compared, whose hashes a capture can choose. */
  @Test
  @DisplayName("Addresses with equal hashes take no more time than others")
  void chosenAddresses() {
    List<byte[]> frames = new ArrayList<>();
    for (int i = 0; i < 30_000; i++) {
      // The hash of an address is the sum of host and port.
      frames.add(packet(address(0x0B000000 + i, 50_000 - i), 0, Packets.ACK, 1));
    }
    assertTimeout(Duration.ofSeconds(8), () -> read(frames));
  }

  /** Fails if {@code HalfStream.keep} counts payloads alone, or keeps frames, which may be longer by far. */
  @Test
  @DisplayName("A segment behind a gap counts with what it takes beside its payload, and keeps no frame")
  void overhead() {
    HalfStream half = new HalfStream();
    byte[] frame = Arrays.copyOf(packet(address(1, 1), 5, Packets.ACK, 1), 1 << 20);
    half.segment(segment(packet(address(1, 1), 0, Packets.SYN, 0)), (number, bytes) -> { });
    half.segment(segment(frame), (number, bytes) -> { });
    assertThat(half.waitingBytes()).isEqualTo(129);
    Arrays.fill(frame, (byte) 7);
    List<ByteBuffer> delivered = new ArrayList<>();
    half.segment(segment(packet(address(1, 1), 1, Packets.ACK, 4)), (number, bytes) -> delivered.add(bytes));
    assertThat(delivered).last().isEqualTo(ByteBuffer.allocate(1));
    assertThat(half.waitingBytes()).isZero();
  }

  /** Fails if {@code HalfStream.keep} counts a segment that it replaces, or one that it does not keep. */
  @Test
  @DisplayName("Of segments at one place the longest is kept, and counts")
  void replaced() {
    HalfStream half = new HalfStream();
    half.segment(segment(packet(address(1, 1), 0, Packets.SYN, 0)), (number, bytes) -> { });
    for (int length : new int[] {10, 30, 20}) {
      half.segment(segment(packet(address(1, 1), 5, Packets.ACK, length)), (number, bytes) -> { });
    }
    assertThat(half.waitingBytes()).isEqualTo(128 + 30);
    half.giveUp();
    assertThat(half.waitingBytes()).isZero();
  }

  private static TcpSegment segment(byte[] packet) {
    try {
      return TcpSegment.of(new CapturedPacket(1, RAW, ByteBuffer.wrap(packet)));
    } catch (CaptureFormatException e) {
      throw new AssertionError(e);
    }
  }

  /**
   * Fails if the bound of {@code TcpAssembler.take} is one for each connection or direction, a small gap goes first, or
   * what is given up stays.
   */
  @Test
  @DisplayName("Segments behind gaps have a bound for all connections; the largest gaps go first, and once")
  void waiting() throws IOException {
    List<byte[]> frames = new ArrayList<>();
    InetSocketAddress small = address(3, 3);
    frames.add(packet(small, 0, Packets.SYN, 0));
    frames.add(packet(small, 100, Packets.ACK, 1));
    InetSocketAddress both = address(1, 1);
    frames.add(packet(both, 0, Packets.SYN, 0));
    frames.add(packet(SERVER, both, 0, Packets.SYN | Packets.ACK, 0));
    for (int i = 0; i < 290; i++) {
      frames.add(packet(both, 60_001 * i + 2, Packets.ACK, 60_000));
      frames.add(packet(SERVER, both, 60_001 * i + 2, Packets.ACK, 60_000));
    }
    InetSocketAddress one = address(2, 2);
    frames.add(packet(one, 0, Packets.SYN, 0));
    for (int i = 0; i < 560; i++) {
      frames.add(packet(one, 60_001 * i + 2, Packets.ACK, 60_000));
    }
    // What is missing in front of a FIN takes no memory: it may still come.
    InetSocketAddress third = address(4, 4);
    frames.add(packet(third, 0, Packets.SYN, 0));
    frames.add(packet(SERVER, third, 0, Packets.SYN | Packets.ACK, 0));
    frames.add(packet(SERVER, third, 7, Packets.FIN | Packets.ACK, 0));
    for (int i = 0; i < 1130; i++) {
      frames.add(packet(third, 60_001 * i + 2, Packets.ACK, 60_000));
    }
    frames.add(packet(SERVER, third, 1, Packets.ACK, 6));
    // What was missing for the connection with the small gap.
    frames.add(packet(small, 1, Packets.ACK, 99));
    read(frames);
    assertThat(told).containsExactly("gap of 2", "gap of 2", "gap of 3", "gap of 4", "bytes of 4", "bytes of 1",
        "end of 2", "end of 3", "end of 4", "end of 1");
  }

  /** Fails if {@code PcapngReader.block} adds each interface that a section describes. */
  @Test
  @DisplayName("A section describes no more than 65,536 interfaces")
  void interfaces() {
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    file.writeBytes(CaptureBytes.pcapng(ByteOrder.BIG_ENDIAN, RAW, 6, List.of()));
    byte[] one = CaptureBytes.block(ByteOrder.BIG_ENDIAN, 1, new byte[8]);
    for (int i = 0; i < 1 << 16; i++) {
      file.writeBytes(one);
    }
    assertThatThrownBy(() -> CaptureFile.read(new ByteArrayInputStream(file.toByteArray()), counting))
        .isInstanceOf(CaptureFormatException.class).hasMessageContaining("more than 65536 interfaces");
  }
}
