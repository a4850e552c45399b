// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.capture.read;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;

/**
 * The TCP segment of one frame. Fragments of IP are not put together: they look like a gap.
 *
 * @param frame number of the frame
 * @param source where it comes from
 * @param target where it goes
 * @param sequence of its first byte
 * @param acknowledgment number of the next byte that the sender expects
 * @param flags of TCP, the low bits of bytes 12 and 13
 * @param length of the payload as it was sent
 * @param payload bytes of it that were captured
 */
record TcpSegment(long frame, InetSocketAddress source, InetSocketAddress target, int sequence,
    int acknowledgment, int flags, int length, ByteBuffer payload) {

  /** Bytes that are kept of a SYN. */
  private static final int MOST_KEPT = 2048;

  private static final int FIN = 0x01;
  private static final int SYN = 0x02;
  private static final int RST = 0x04;
  private static final int ACK = 0x10;
  private static final int TCP_PROTOCOL = 6;
  private static final int IPV4_HEADER = 20;
  private static final int IPV6_HEADER = 40;
  private static final int TCP_HEADER = 20;
  private static final int MORE_OR_OFFSET = 0x3FFF;
  private static final int HOP_BY_HOP = 0;
  private static final int ROUTING = 43;
  private static final int DESTINATION = 60;

  /** Tells whether this begins a direction. A reset does not, whatever else it says (RFC 9293 §3.10.7.2). */
  boolean isSyn() {
    return (flags & SYN) != 0 && !isReset();
  }

  boolean opens() {
    return isSyn() && (flags & ACK) == 0;
  }

  /** Tells whether this ends a direction behind its bytes. A reset does not say that they have come. */
  boolean isFin() {
    return (flags & FIN) != 0 && !isReset();
  }

  boolean isReset() {
    return (flags & RST) != 0;
  }

  boolean acknowledges() {
    return (flags & ACK) != 0;
  }

  /**
   * Returns the same segment, which keeps no memory of its frame: as many bytes as a SYN has (RFC 7413) are copied, of
   * more it lacks all.
   */
  TcpSegment kept() {
    int kept = payload.remaining() <= MOST_KEPT ? payload.remaining() : 0;
    return new TcpSegment(frame, source, target, sequence, acknowledgment, flags, length,
        ByteBuffer.allocate(kept).put(payload.slice(payload.position(), kept)).flip());
  }

  /** Returns the same segment, as if it had no payload. */
  TcpSegment withoutPayload() {
    return new TcpSegment(frame, source, target, sequence, acknowledgment, flags, 0, ByteBuffer.allocate(0));
  }

  /**
   * Finds the segment in a frame.
   *
   * @return the segment, or null if the frame holds none
   */
  static TcpSegment of(CapturedPacket packet) throws CaptureFormatException {
    ByteBuffer bytes = packet.bytes();
    int ip = LinkLayer.ipHeader(packet);
    if (ip < 0 || ip >= bytes.limit()) {
      return null;
    }
    int version = bytes.get(ip) >>> 4 & 0xF;
    if (version == 4 && bytes.limit() >= ip + IPV4_HEADER) {
      return ofIpv4(packet, ip);
    }
    return version == 6 && bytes.limit() >= ip + IPV6_HEADER ? ofIpv6(packet, ip) : null;
  }

  private static TcpSegment ofIpv4(CapturedPacket packet, int ip) {
    ByteBuffer bytes = packet.bytes();
    int tcp = ip + (bytes.get(ip) & 0xF) * 4;
    boolean fragment = (bytes.getShort(ip + 6) & MORE_OR_OFFSET) != 0;
    if (bytes.get(ip + 9) != TCP_PROTOCOL || fragment || tcp < ip + IPV4_HEADER) {
      return null;
    }
    // A length of 0 was left to be filled in by the network card.
    int total = bytes.getShort(ip + 2) & 0xFFFF;
    int end = total == 0 ? bytes.limit() : ip + total;
    return ofTcp(packet, address(bytes, ip + 12, 4), address(bytes, ip + 16, 4), tcp, end);
  }

  private static TcpSegment ofIpv6(CapturedPacket packet, int ip) {
    ByteBuffer bytes = packet.bytes();
    int payload = bytes.getShort(ip + 4) & 0xFFFF;
    int end = payload == 0 ? bytes.limit() : ip + IPV6_HEADER + payload;
    int next = bytes.get(ip + 6) & 0xFF;
    int at = ip + IPV6_HEADER;
    while ((next == HOP_BY_HOP || next == ROUTING || next == DESTINATION)
        && bytes.limit() >= at + 2) {
      next = bytes.get(at) & 0xFF;
      at += 8 * (1 + (bytes.get(at + 1) & 0xFF));
    }
    return next != TCP_PROTOCOL ? null
        : ofTcp(packet, address(bytes, ip + 8, 16), address(bytes, ip + 24, 16), at, end);
  }

  private static TcpSegment ofTcp(CapturedPacket packet, InetAddress from, InetAddress to, int tcp,
      int end) {
    ByteBuffer bytes = packet.bytes();
    if (bytes.limit() < tcp + TCP_HEADER) {
      return null;
    }
    int data = tcp + (bytes.get(tcp + 12) >>> 4 & 0xF) * 4;
    if (data < tcp + TCP_HEADER || data > end) {
      return null;
    }
    int captured = Math.max(0, Math.min(end, bytes.limit()) - data);
    return new TcpSegment(packet.frame(),
        new InetSocketAddress(from, bytes.getShort(tcp) & 0xFFFF),
        new InetSocketAddress(to, bytes.getShort(tcp + 2) & 0xFFFF), bytes.getInt(tcp + 4),
        bytes.getInt(tcp + 8), bytes.get(tcp + 13), Math.max(0, end - data),
        captured == 0 ? ByteBuffer.allocate(0) : bytes.slice(data, captured));
  }

  private static InetAddress address(ByteBuffer bytes, int at, int length) {
    byte[] address = new byte[length];
    bytes.get(at, address);
    try {
      return InetAddress.getByAddress(address);
    } catch (UnknownHostException e) {
      throw new IllegalStateException("An address of " + length + " bytes", e);
    }
  }
}
