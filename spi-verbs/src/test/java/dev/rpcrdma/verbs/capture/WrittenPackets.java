// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.capture;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Packets of a file that {@link Capture} has written, read by hand. */
final class WrittenPackets {

  private static final int ENHANCED_PACKET = 6;
  private static final int PACKET_AT = 28;
  private static final int IPV4_HEADER = 20;

  private WrittenPackets() {}

  /**
   * One IPv4 packet.
   *
   * @param nanos its time, since 1970
   * @param fromPort port of its sender
   * @param flags of TCP, by their letters
   * @param sequence of its first byte
   * @param acknowledged what it acknowledges
   * @param length bytes of its payload
   */
  record Packet(long nanos, int fromPort, String flags, int sequence, int acknowledged, int length) {

    /** Returns all but the time. */
    String text() {
      return fromPort + " " + flags + " " + sequence + " " + acknowledged + " " + length;
    }
  }

  static List<String> texts(Path file) throws IOException {
    return read(file).stream().map(Packet::text).toList();
  }

  static List<Packet> read(Path file) throws IOException {
    ByteBuffer all = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
    List<Packet> packets = new ArrayList<>();
    for (int at = 0; at < all.limit(); at += all.getInt(at + 4)) {
      if (all.getInt(at) == ENHANCED_PACKET) {
        long nanos = (long) all.getInt(at + 12) << 32 | all.getInt(at + 16) & 0xFFFF_FFFFL;
        packets.add(packet(nanos, all.slice(at + PACKET_AT, all.getInt(at + 20))));
      }
    }
    return packets;
  }

  private static Packet packet(long nanos, ByteBuffer ip) {
    ByteBuffer tcp = ip.slice(IPV4_HEADER, ip.limit() - IPV4_HEADER);
    int flags = tcp.get(13);
    String letters = ((flags & TcpPacket.SYN) == 0 ? "" : "S") + ((flags & TcpPacket.FIN) == 0 ? "" : "F")
        + ((flags & TcpPacket.RST) == 0 ? "" : "R")
        + ((flags & TcpPacket.PSH) == 0 ? "" : "P") + ((flags & TcpPacket.ACK) == 0 ? "" : "A");
    return new Packet(nanos, tcp.getShort(0) & 0xFFFF, letters, tcp.getInt(4), tcp.getInt(8),
        tcp.limit() - (tcp.get(12) >>> 4 & 0xF) * 4);
  }
}
