// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.capture.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.verbs.capture.Packets;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames, byte by byte: where headers begin and end, and frames that are cut, or lie about their lengths. */
@DisplayName("Segments of frames")
final class TcpSegmentTest {

  private static final int ETHERNET = 1;
  private static final int RAW = 101;
  private static final int IPV6_HEADER = 40;
  private static final String ETHERNET_IPV4 = "020000000001 020000000002 0800";
  private static final String ETHERNET_IPV6 = "020000000001 020000000002 86dd";
  private static final int NO_IP = 0x0806;

  private final byte[] v4 = packet(address("10.0.0.1", 40_001), address("10.0.0.2", 50_002));
  private final byte[] v6 = packet(address("fd00::1", 40_001), address("fd00::2", 50_002));

  private static InetSocketAddress address(String host, int port) {
    try {
      return new InetSocketAddress(InetAddress.getByName(host), port);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private static byte[] packet(InetSocketAddress from, InetSocketAddress to) {
    ByteBuffer out = ByteBuffer.allocate(200);
    new Packets(from, to).put(out, 7, 0, Packets.ACK, ByteBuffer.wrap("data".getBytes(StandardCharsets.US_ASCII)));
    return Arrays.copyOf(out.array(), out.limit());
  }

  private static byte[] hex(String digits) {
    return HexFormat.of().parseHex(digits.replace(" ", ""));
  }

  private static TcpSegment segment(int linkType, byte[] frame) {
    try {
      return TcpSegment.of(new CapturedPacket(1, linkType, ByteBuffer.wrap(frame)));
    } catch (CaptureFormatException e) {
      throw new AssertionError(e);
    }
  }

  /** Returns the payload of a frame as text; null if there is no segment in it. */
  private static String payload(int linkType, byte[] frame) {
    TcpSegment segment = segment(linkType, frame);
    return segment == null ? null : StandardCharsets.US_ASCII.decode(segment.payload()).toString();
  }

  @Test
  @DisplayName("Addresses, ports and sequence number, of both versions of IP behind an Ethernet header")
  void fields() {
    TcpSegment four = segment(ETHERNET, CaptureBytes.before(hex(ETHERNET_IPV4), v4));
    assertThat(four.source()).isEqualTo(address("10.0.0.1", 40_001));
    assertThat(four.target()).isEqualTo(address("10.0.0.2", 50_002));
    assertThat(four.sequence()).isEqualTo(7);
    TcpSegment six = segment(ETHERNET, CaptureBytes.before(hex(ETHERNET_IPV6), v6));
    assertThat(six.source()).isEqualTo(address("fd00::1", 40_001));
    assertThat(six.target()).isEqualTo(address("fd00::2", 50_002));
  }

  /** Fails if {@code TcpSegment} or {@code LinkLayer} reads behind the bytes that were captured. */
  @ParameterizedTest
  @CsvSource({"1, 020000000001 020000000002 0800, false", "1, 020000000001 020000000002 8100 0001 86dd, true",
      "1, 020000000001 020000000002 88a8 0001 8100 0002 0800, false",
      "113, 0000 0001 0006 020000000001 0000 0800, false", "276, 86dd 0000 00000001 0001 00 06 020000000001 0000, true",
      "0, 00000002, false", "101, '', true"})
  @DisplayName("A frame that is cut within its headers holds no segment, wherever it is cut")
  void cut(int linkType, String header, boolean six) {
    byte[] link = hex(header);
    byte[] whole = CaptureBytes.before(link, six ? extended(hex("06 00 000000000000")) : v4);
    int data = whole.length - 4;
    for (int length = 0; length < data; length++) {
      assertThat(segment(linkType, Arrays.copyOf(whole, length))).as("cut at %d", length).isNull();
    }
    for (int length = data; length <= whole.length; length++) {
      assertThat(payload(linkType, Arrays.copyOf(whole, length))).isEqualTo("data".substring(0, length - data));
    }
  }

  @Test
  @DisplayName("What follows another type than IP is no segment, even if it looks like one")
  void otherTypes() {
    byte[] ethernet = CaptureBytes.before(hex("020000000001 020000000002 0806"), v4);
    assertThat(ByteBuffer.wrap(ethernet).getShort(12)).isEqualTo((short) NO_IP);
    assertThat(segment(ETHERNET, ethernet)).isNull();
    assertThat(segment(276, CaptureBytes.before(hex("0806 0000 00000001 0001 00 06 020000000001 0000"), v4))).isNull();
  }

  /** Fails if {@code LinkLayer.behindType} gives the frame itself where its tags do not end. */
  @Test
  @DisplayName("A frame of VLAN tags alone is no segment, even if it looks like one from its beginning")
  void tagsOnly() {
    byte[] frame = new byte[56];
    System.arraycopy(hex("4500 0038 0000 0000 4006 0000"), 0, frame, 0, 12);
    for (int at = 12; at < frame.length; at += 4) {
      frame[at] = (byte) 0x81;
    }
    assertThat(segment(RAW, frame)).as("what it looks like").isNotNull();
    assertThat(segment(ETHERNET, frame)).isNull();
  }

  /** Puts extension headers between those of IPv6 and TCP; the first one is of destination options. */
  private byte[] extended(byte[] headers) {
    byte[] packet = ByteBuffer.allocate(v6.length + headers.length).put(v6, 0, IPV6_HEADER).put(headers)
        .put(v6, IPV6_HEADER, v6.length - IPV6_HEADER).array();
    ByteBuffer.wrap(packet).putShort(4, (short) (packet.length - IPV6_HEADER)).put(6, (byte) 60);
    return packet;
  }

  @ParameterizedTest
  @ValueSource(strings = {"06 00 000000000000", "06 01 000000000000 0000000000000000",
      "2b 00 000000000000 06 01 0000000000000000000000000000",
      "00 00 000000000000 3c 00 000000000000 06 00 000000000000"})
  @DisplayName("Extension headers of IPv6 are as long as they say")
  void extensions(String headers) {
    assertThat(payload(RAW, extended(hex(headers)))).isEqualTo("data");
    assertThat(payload(ETHERNET, CaptureBytes.before(hex(ETHERNET_IPV6), extended(hex(headers))))).isEqualTo("data");
  }

  @ParameterizedTest
  @ValueSource(strings = {"2c 00 000000000000 06 00 000000000000", "11 00 000000000000", "3b 00 000000000000"})
  @DisplayName("Fragments, other protocols and nothing behind extension headers are no segments")
  void otherProtocols(String headers) {
    assertThat(segment(RAW, extended(hex(headers)))).isNull();
  }

  @Test
  @DisplayName("Extension headers that say to be longer than the frame hold no segment")
  void endless() {
    assertThat(segment(RAW, extended(hex("06 ff 000000000000")))).isNull();
    assertThat(segment(RAW, extended(hex("3c ff 000000000000")))).isNull();
  }

  @ParameterizedTest
  @CsvSource({"1, 0", "20, 0", "00, 1", "3f, ff"})
  @DisplayName("A fragment of IPv4, the first one or a later one, is no segment")
  void fragments(String high, String low) {
    byte[] fragment = v4.clone();
    fragment[6] = (byte) Integer.parseInt(high, 16);
    fragment[7] = (byte) Integer.parseInt(low, 16);
    assertThat(segment(RAW, fragment)).isNull();
  }

  @Test
  @DisplayName("IPv4 options are passed over; a header that says to be shorter than one is none")
  void options() {
    byte[] packet = ByteBuffer.allocate(v4.length + 8).put(v4, 0, 20).position(28).put(v4, 20, v4.length - 20).array();
    packet[0] = 0x47;
    packet[3] += 8;
    assertThat(payload(RAW, packet)).isEqualTo("data");
    assertThat(payload(ETHERNET, CaptureBytes.before(hex(ETHERNET_IPV4), packet))).isEqualTo("data");
    byte[] tooShort = v4.clone();
    tooShort[0] = 0x44;
    // So that what begins four bytes earlier would look like TCP.
    tooShort[16 + 12] = 0x50;
    assertThat(segment(RAW, tooShort)).isNull();
  }

  @Test
  @DisplayName("TCP options are passed over; a header that says to be shorter than one, or longer than all, is none")
  void tcpHeader() {
    byte[] packet = v4.clone();
    packet[20 + 12] = 0x60;
    assertThat(payload(RAW, packet)).isEmpty();
    packet[20 + 12] = 0x70;
    assertThat(segment(RAW, packet)).isNull();
    packet[20 + 12] = 0x40;
    assertThat(segment(RAW, packet)).isNull();
  }

  /** Fails if the length in a header is not looked at, or where it is 0, which network cards fill in. */
  @Test
  @DisplayName("Bytes behind the packet are no payload, unless the packet does not say how long it is")
  void padding() {
    byte[] padded4 = Arrays.copyOf(v4, v4.length + 2);
    byte[] padded6 = Arrays.copyOf(v6, v6.length + 2);
    assertThat(payload(RAW, padded4)).isEqualTo("data");
    assertThat(payload(RAW, padded6)).isEqualTo("data");
    assertThat(payload(ETHERNET, CaptureBytes.before(hex(ETHERNET_IPV4), padded4))).isEqualTo("data");
    assertThat(payload(ETHERNET, CaptureBytes.before(hex(ETHERNET_IPV6), padded6))).isEqualTo("data");
    ByteBuffer.wrap(padded4).putShort(2, (short) 0);
    ByteBuffer.wrap(padded6).putShort(4, (short) 0);
    assertThat(payload(RAW, padded4)).isEqualTo("data\0\0");
    assertThat(payload(RAW, padded6)).isEqualTo("data\0\0");
  }
}
