// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.capture;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Golden bytes of packets, whose checksums another program has computed. */
@DisplayName("Packets of captures")
final class TcpPacketTest {

  private static final int FROM_PORT = 1111;
  private static final int TO_PORT = 50_000;

  private final InetSocketAddress from = address("10.0.0.1", FROM_PORT);
  private final InetSocketAddress to = address("192.168.200.2", TO_PORT);

  private static InetSocketAddress address(String host, int port) {
    try {
      return new InetSocketAddress(InetAddress.getByName(host), port);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private static byte[] packet(TcpPacket packets, int sequence, int acknowledgment, int flags, String text) {
    ByteBuffer out = ByteBuffer.allocate(200);
    ByteBuffer payload = ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
    packets.put(out, sequence, acknowledgment, flags, payload);
    assertThat(payload.position()).isZero();
    return Arrays.copyOf(out.array(), out.limit());
  }

  private static byte[] hex(String digits) {
    return HexFormat.of().parseHex(digits.replace(" ", ""));
  }

  @Test
  @DisplayName("IPv4, with an odd payload; the next packet is a SYN with its option and the next identification")
  void ipv4() {
    TcpPacket packets = new TcpPacket(from, to);
    assertThat(packet(packets, 0x01020304, 0xF5F6F708, TcpPacket.PSH | TcpPacket.ACK, "abc")).isEqualTo(hex(
        "4500002b 00004000 4006a821 0a000001 c0a8c802 0457c350 01020304 f5f6f708 5018ffff a00d0000 616263"));
    assertThat(packet(packets, 0x01020307, 0, TcpPacket.SYN, "")).isEqualTo(hex(
        "4500002c 00014000 4006a81f 0a000001 c0a8c802 0457c350 01020307 00000000 6002ffff 377e0000 03030701"));
  }

  @Test
  @DisplayName("Ends of different families: both are written as IPv6, whichever of them is IPv4")
  void mixed() {
    InetSocketAddress v4 = address("10.0.0.1", 1);
    InetSocketAddress v6 = address("fd00::2", 2);
    assertThat(packet(new TcpPacket(v4, v6), 3, 4, TcpPacket.ACK, "abcd")).isEqualTo(hex("60000000 00180640"
        + "00000000000000000000ffff0a000001 fd000000000000000000000000000002"
        + "0001000200000003000000045010ffffe3fc000061626364"));
    assertThat(packet(new TcpPacket(v6, v4), 4, 3, TcpPacket.FIN | TcpPacket.ACK, "")).isEqualTo(hex(
        "60000000 00140640 fd000000000000000000000000000002 00000000000000000000ffff0a000001"
        + "0002000100000004000000035011ffffa8c60000"));
  }

  /** RFC 1071 §1: all words of a segment and its pseudo header, the checksum among them, add up to ones. */
  @Test
  @DisplayName("The longest payload, of bytes that carry over at each word, has a checksum that is right")
  void longest() {
    ByteBuffer out = ByteBuffer.allocate(1 << 16);
    byte[] payload = new byte[TcpPacket.MAX_PAYLOAD];
    Arrays.fill(payload, (byte) 0xFF);
    new TcpPacket(from, to).put(out, -1, -1, TcpPacket.ACK, ByteBuffer.wrap(payload));
    assertThat(out.limit()).isEqualTo(0xFFFF);
    long sum = 6 + out.limit() - 20;
    for (int i = 12; i < out.limit(); i++) {
      sum += (long) (out.get(i) & 0xFF) << (i % 2 == 0 ? 8 : 0);
    }
    while (sum > 0xFFFF) {
      sum = (sum & 0xFFFF) + (sum >>> 16);
    }
    assertThat(sum).isEqualTo(0xFFFF);
  }

  @Test
  @DisplayName("The window of a SYN is not scaled")
  void window() {
    assertThat(TcpPacket.window(TcpPacket.SYN | TcpPacket.ACK)).isEqualTo(0xFFFF);
    assertThat(TcpPacket.window(TcpPacket.ACK)).isEqualTo(0xFFFF * 128);
  }
}
