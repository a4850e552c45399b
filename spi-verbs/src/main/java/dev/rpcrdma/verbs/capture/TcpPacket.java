// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.capture;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/**
 * Makes IP packets with a TCP segment inside, all checksums right, in one direction.
 *
 * <pre>
 *   IPv4 (20) or IPv6 (40) | TCP (20; of a SYN 24) | payload
 * </pre>
 */
final class TcpPacket {

  /** The longest payload that fits an IPv4 packet: 65535 - 20 - 20. */
  static final int MAX_PAYLOAD = 65_495;

  static final int FIN = 0x01;
  static final int SYN = 0x02;
  static final int RST = 0x04;
  static final int PSH = 0x08;
  static final int ACK = 0x10;

  private static final int WINDOW = 0xFFFF;

  /** A SYN says that later windows of its sender are to be multiplied by 2^7 (RFC 7323 §2.2). */
  private static final int WINDOW_SCALE = 7;

  /** In a SYN: window scale, kind 3, three bytes; no operation, kind 1. */
  private static final int SCALE_OPTION = 0x03_03_00_01 | WINDOW_SCALE << 8;

  private static final int TCP_HEADER = 20;
  private static final int OPTION_BYTES = 4;
  private static final int TCP_PROTOCOL = 6;
  private static final int TTL = 64;

  private final byte[] source;
  private final byte[] target;
  private final int sourcePort;
  private final int targetPort;
  private int identification;

  TcpPacket(InetSocketAddress from, InetSocketAddress to) {
    boolean v6 = from.getAddress().getAddress().length != to.getAddress().getAddress().length;
    source = v6 ? mapped(from.getAddress()) : from.getAddress().getAddress();
    target = v6 ? mapped(to.getAddress()) : to.getAddress().getAddress();
    sourcePort = from.getPort();
    targetPort = to.getPort();
  }

  /** What the sender of a packet lets the other side send before the next acknowledgment. */
  static int window(int flags) {
    return (flags & SYN) == 0 ? WINDOW << WINDOW_SCALE : WINDOW;
  }

  /** An IPv4 address in IPv6 form, should the two sides be of different families. */
  private static byte[] mapped(InetAddress address) {
    byte[] bytes = address.getAddress();
    if (bytes.length == 16) {
      return bytes;
    }
    byte[] v6 = new byte[16];
    v6[10] = (byte) 0xFF;
    v6[11] = (byte) 0xFF;
    System.arraycopy(bytes, 0, v6, 12, 4);
    return v6;
  }

  /** Writes a packet into a buffer from index 0 and flips it; the payload's position stays. */
  void put(ByteBuffer out, int sequence, int acknowledgment, int flags, ByteBuffer payload) {
    out.clear();
    int header = (flags & SYN) == 0 ? TCP_HEADER : TCP_HEADER + OPTION_BYTES;
    int segment = header + payload.remaining();
    int ip = source.length == 4 ? putIpv4(out, segment) : putIpv6(out, segment);
    out.putShort((short) sourcePort).putShort((short) targetPort);
    out.putInt(sequence).putInt(acknowledgment);
    out.put((byte) (header / 4 << 4)).put((byte) flags).putShort((short) WINDOW);
    out.putShort((short) 0).putShort((short) 0);
    if (header > TCP_HEADER) {
      out.putInt(SCALE_OPTION);
    }
    out.put(payload.duplicate());
    out.flip();
    long sum = TCP_PROTOCOL + segment;
    sum += sum(ByteBuffer.wrap(source), 0, source.length);
    sum += sum(ByteBuffer.wrap(target), 0, target.length);
    sum += sum(out, ip, out.limit());
    out.putShort(ip + 16, fold(sum));
  }

  private int putIpv4(ByteBuffer out, int segment) {
    out.put((byte) 0x45).put((byte) 0).putShort((short) (20 + segment));
    out.putShort((short) identification++).putShort((short) 0x4000);
    out.put((byte) TTL).put((byte) TCP_PROTOCOL).putShort((short) 0);
    out.put(source).put(target);
    out.putShort(10, fold(sum(out, 0, 20)));
    return 20;
  }

  private int putIpv6(ByteBuffer out, int segment) {
    out.putInt(0x60000000).putShort((short) segment);
    out.put((byte) TCP_PROTOCOL).put((byte) TTL);
    out.put(source).put(target);
    return 40;
  }

  private static long sum(ByteBuffer bytes, int from, int to) {
    long sum = 0;
    int i = from;
    for (; i + 1 < to; i += 2) {
      sum += bytes.getShort(i) & 0xFFFF;
    }
    return i < to ? sum + ((bytes.get(i) & 0xFF) << 8) : sum;
  }

  private static short fold(long value) {
    long sum = value;
    while (sum > 0xFFFF) {
      sum = (sum & 0xFFFF) + (sum >>> 16);
    }
    return (short) ~sum;
  }
}
