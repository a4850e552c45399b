// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.capture.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.verbs.capture.Capture;
import dev.rpcrdma.verbs.capture.CapturedStream;
import dev.rpcrdma.verbs.capture.Packets;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Captures of all forms give the same streams, and damaged ones say so. */
@DisplayName("Reading captures")
final class CaptureFileTest extends SegmentBed {

  private static final int NANOSECONDS = 0xA1B23C4D;
  private static final int SECTION_BYTES = 28;
  private static final int INTERFACE_BYTES = 20;

  /** A whole connection: hello there, and back. */
  private List<byte[]> session() {
    return List.of(syn(99), packet(toClient, 499, Packets.SYN | Packets.ACK, ""),
        data(100, "hello"), packet(toClient, 500, Packets.ACK, "and back"), data(105, " there"),
        packet(toServer, 111, Packets.FIN | Packets.ACK, ""),
        packet(toClient, 508, Packets.FIN | Packets.ACK, ""));
  }

  private static final String SESSION = "open 1 hello@3> and back@4<  there@5> end 1 ";

  private static String read(byte[] file) throws IOException {
    return Telling.of(file);
  }

  @Test
  @DisplayName("pcap of either byte order and resolution; pcapng of either with each packet block")
  void formats() throws IOException {
    for (ByteOrder order : List.of(ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN)) {
      for (int magic : new int[] {MICROSECONDS, NANOSECONDS}) {
        assertThat(read(CaptureBytes.pcap(magic, order, RAW, session()))).isEqualTo(SESSION);
      }
      for (int type : new int[] {2, 3, 6}) {
        assertThat(read(CaptureBytes.pcapng(order, RAW, type, session())))
            .as("%s, block %d", order, type).isEqualTo(SESSION);
      }
    }
  }

  @Test
  @DisplayName("A second section has a byte order and interfaces of its own")
  void sections() throws IOException {
    ByteArrayOutputStream both = new ByteArrayOutputStream();
    both.writeBytes(
        CaptureBytes.pcapng(ByteOrder.BIG_ENDIAN, RAW, 6, session().subList(0, 4)));
    both.writeBytes(
        CaptureBytes.pcapng(ByteOrder.LITTLE_ENDIAN, RAW, 6, session().subList(4, 7)));
    assertThat(read(both.toByteArray())).isEqualTo(SESSION);
  }

  /** Fails if {@code PcapngReader.section} keeps the interfaces of the section before. */
  @Test
  @DisplayName("An interface of another section is not described")
  void interfacesOfSections() {
    ByteArrayOutputStream both = new ByteArrayOutputStream();
    both.writeBytes(CaptureBytes.pcapng(ByteOrder.BIG_ENDIAN, RAW, 6, session()));
    byte[] second = CaptureBytes.pcapng(ByteOrder.BIG_ENDIAN, RAW, 6, session());
    both.write(second, 0, SECTION_BYTES);
    both.write(second, SECTION_BYTES + INTERFACE_BYTES, second.length - SECTION_BYTES - INTERFACE_BYTES);
    assertDamaged(ByteBuffer.wrap(both.toByteArray()), "not described");
  }

  @Test
  @DisplayName("Ethernet, VLANs, Linux cooked of both versions, raw IP and loopback")
  void linkTypes() throws IOException {
    ByteBuffer ethernet = ByteBuffer.allocate(14).putShort(12, (short) 0x0800);
    ByteBuffer vlans = ByteBuffer.allocate(22).putShort(12, (short) 0x88A8)
        .putShort(16, (short) 0x8100).putShort(20, (short) 0x0800);
    ByteBuffer cooked = ByteBuffer.allocate(16).putShort(14, (short) 0x0800);
    ByteBuffer cooked2 = ByteBuffer.allocate(20).putShort(0, (short) 0x0800);
    Object[][] types = {{1, ethernet}, {1, vlans}, {113, cooked}, {276, cooked2},
        {0, ByteBuffer.allocate(4)}, {108, ByteBuffer.allocate(4)}, {12, ByteBuffer.allocate(0)},
        {228, ByteBuffer.allocate(0)}};
    for (Object[] type : types) {
      List<byte[]> frames = new ArrayList<>();
      for (byte[] packet : session()) {
        frames.add(CaptureBytes.before(((ByteBuffer) type[1]).array(), packet));
      }
      assertThat(read(CaptureBytes.pcap(MICROSECONDS, ByteOrder.LITTLE_ENDIAN, (int) type[0],
          frames))).as("link type %d", type[0]).isEqualTo(SESSION);
    }
  }

  @Test
  @DisplayName("IPv6, also behind extension headers; padding of short Ethernet frames is no data")
  void ipVersions() throws IOException {
    Packets v6 = new Packets(address("fd00::1", 1), address("fd00::2", 2));
    byte[] plain = packet(v6, 0, Packets.ACK, "six");
    ByteBuffer extended = ByteBuffer.allocate(plain.length + 16);
    extended.put(plain, 0, 40).put((byte) 60).position(48).put((byte) 6).position(56);
    extended.put(plain, 40, plain.length - 40);
    extended.putShort(4, (short) (plain.length - 40 + 16)).put(6, (byte) 0);
    assertThat(told(plain)).isEqualTo("open 1 six@1> end 1 ");
    assertThat(told(extended.array())).isEqualTo("open 1 six@1> end 1 ");
    byte[] padded = Arrays.copyOf(data(0, "four"), 60);
    assertThat(told(padded)).isEqualTo("open 1 four@1> end 1 ");
  }

  @Test
  @DisplayName("What is sent again, overlaps or comes out of order is told once, in order")
  void reassembly() throws IOException {
    assertThat(told(syn(9), data(13, "def"), data(10, "abc"), data(10, "abc"), data(14, "efgh"),
        data(11, "bc"))).isEqualTo("open 1 abc@3> def@3> gh@5> end 1 ");
    // Sequence numbers wrap; a connection may be captured from its middle.
    assertThat(told(data(-2, "ab"), data(2, "ef"), data(0, "cd")))
        .isEqualTo("open 1 ab@1> cd@3> ef@3> end 1 ");
  }

  @Test
  @DisplayName("Any order and cut of a stream's segments gives the stream")
  void anyOrder() throws IOException {
    String text = "the quick brown fox jumps over the lazy dog".repeat(3);
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      List<byte[]> frames = new ArrayList<>();
      for (int at = 0; at < text.length(); at += 1 + random.nextInt(9)) {
        frames.add(data(0x7FFFFFF0 + at,
            text.substring(at, Math.min(text.length(), at + 10 + random.nextInt(9)))));
      }
      java.util.Collections.shuffle(frames, random);
      frames.add(0, syn(0x7FFFFFEF));
      assertThat(told(frames.toArray(byte[][]::new)).replaceAll("@\\d+> |open 1 |end 1 ", ""))
          .as("seed %d", seed).isEqualTo(text);
    }
  }

  @Test
  @DisplayName("Missing bytes are told as a gap, also those that were cut off a frame")
  void gaps() throws IOException {
    assertThat(told(syn(9), data(10, "abc"), data(20, "later")))
        .isEqualTo("open 1 abc@2> gap 7@3> end 1 ");
    byte[] cut = data(10, "abcdef");
    assertThat(told(syn(9), Arrays.copyOf(cut, cut.length - 4), data(16, "g")))
        .isEqualTo("open 1 ab@2> gap 4@3> end 1 ");
  }

  @Test
  @DisplayName("The same ports again are another connection; a SYN sent again is not")
  void portsAgain() throws IOException {
    assertThat(told(syn(9), syn(9), data(10, "a"), packet(toClient, 0, RST, ""), data(11, "lost"),
        syn(9), data(10, "b"))).isEqualTo("open 1 a@3> end 1 open 2 b@7> end 2 ");
    assertThat(told(syn(9), packet(toClient, 0, 10, RST | Packets.ACK, ""), syn(9), data(10, "b")))
        .isEqualTo("open 1 end 1 open 2 b@4> end 2 ");
    assertThat(told(syn(9), data(10, "a"), syn(70), data(71, "b")))
        .isEqualTo("open 1 a@2> end 1 open 2 b@4> end 2 ");
  }

  @Test
  @DisplayName("What is not TCP, a fragment or cut within its headers is passed over")
  void otherFrames() throws IOException {
    byte[] udp = data(10, "x");
    udp[9] = 17;
    byte[] fragment = data(10, "x");
    fragment[7] = 1;
    byte[] good = data(10, "x");
    List<byte[]> frames = new ArrayList<>(List.of(udp, fragment, new byte[0]));
    for (int cut = 0; cut < 40; cut++) {
      frames.add(Arrays.copyOf(good, cut));
    }
    assertThat(told(frames.toArray(byte[][]::new))).isEmpty();
  }

  @Test
  @DisplayName("A file cut at any byte between its frames' ends is truncated, and says where")
  void truncated() throws IOException {
    for (byte[] file : List.of(
        CaptureBytes.pcap(MICROSECONDS, ByteOrder.LITTLE_ENDIAN, RAW, session()),
        CaptureBytes.pcapng(ByteOrder.LITTLE_ENDIAN, RAW, 6, session()))) {
      int whole = 0;
      for (int cut = 0; cut < file.length; cut++) {
        byte[] part = Arrays.copyOf(file, cut);
        try {
          read(part);
          whole++;
        } catch (CaptureFormatException e) {
          assertThat(e).hasMessageMatching("(?s).*(truncated|neither).*");
        }
      }
      assertThat(whole).as("a cut between frames cannot be seen").isBetween(7, 10);
    }
  }

  @Test
  @DisplayName("Damaged files are refused and never make anyone allocate what they claim")
  void damaged() {
    byte[] pcap = CaptureBytes.pcap(MICROSECONDS, ByteOrder.BIG_ENDIAN, RAW, session());
    assertDamaged(ByteBuffer.wrap(pcap.clone()).putInt(32, 0x7FFFFFFF), "2147483647");
    assertDamaged(ByteBuffer.wrap(pcap.clone()).putInt(32, -1), "4294967295");
    assertDamaged(ByteBuffer.wrap(pcap.clone()).putInt(20, 77), "link type 77");
    assertDamaged(ByteBuffer.wrap("hello, world".getBytes(StandardCharsets.US_ASCII)), "neither");
    byte[] pcapng = CaptureBytes.pcapng(ByteOrder.BIG_ENDIAN, RAW, 6, session());
    assertDamaged(ByteBuffer.wrap(pcapng.clone()).putInt(8, 0), "magic");
    assertDamaged(ByteBuffer.wrap(pcapng.clone()).putInt(24, 7), "differ");
    assertDamaged(ByteBuffer.wrap(pcapng.clone()).putInt(32, 3), "a block of 3 bytes");
    int frames = 28 + 20 + 16;
    assertDamaged(ByteBuffer.wrap(pcapng.clone()).putInt(frames + 8, 1), "not described");
    assertDamaged(ByteBuffer.wrap(pcapng.clone()).putInt(frames + 20, 4000), "4000");
  }

  private static void assertDamaged(ByteBuffer file, String word) {
    assertThatThrownBy(() -> read(file.array())).isInstanceOf(CaptureFormatException.class)
        .hasMessageContaining(word);
  }

  @Test
  @DisplayName("What Capture writes is read back, both directions in their order")
  void ownCaptures(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("own.pcapng");
    try (Capture capture = Capture.open(file)) {
      CapturedStream stream = capture.stream(true, client, server);
      stream.sent(ByteBuffer.wrap("ask".getBytes(StandardCharsets.US_ASCII)));
      stream.received(ByteBuffer.wrap("answer".getBytes(StandardCharsets.US_ASCII)));
      stream.close();
    }
    StringBuilder told = new StringBuilder();
    CaptureFile.read(file, new Telling(told));
    assertThat(told.toString()).isEqualTo("open 1 ask@4> answer@5< end 1 ");
  }
}
