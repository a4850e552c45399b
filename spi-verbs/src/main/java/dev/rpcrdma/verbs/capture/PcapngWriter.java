// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.capture;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Writes the blocks of a pcapng file: one section, one interface of raw IP packets, and packets
 * with nanosecond timestamps. Not safe for several threads.
 *
 * <pre>
 *   block:  type (4) | total length (4) | body, padded to 4 | total length (4)
 * </pre>
 */
final class PcapngWriter {

  private static final int SECTION_HEADER = 0x0A0D0D0A;
  private static final int INTERFACE_DESCRIPTION = 0x00000001;
  private static final int ENHANCED_PACKET = 0x00000006;
  private static final int BYTE_ORDER_MAGIC = 0x1A2B3C4D;
  /** LINKTYPE_RAW: the packet starts with its IPv4 or IPv6 header. */
  private static final int LINKTYPE_RAW = 101;
  private static final int OPTION_USER_APPLICATION = 4;
  private static final int OPTION_TIMESTAMP_RESOLUTION = 9;
  private static final int NANOSECONDS = 9;
  private static final int BLOCK_OVERHEAD = 12;
  private static final int PACKET_FIELDS = 20;

  private final OutputStream out;
  private final ByteBuffer head =
      ByteBuffer.allocate(BLOCK_OVERHEAD + PACKET_FIELDS).order(ByteOrder.LITTLE_ENDIAN);

  PcapngWriter(OutputStream out) {
    this.out = out;
  }

  void writeFileHeader(String application) throws IOException {
    byte[] name = application.getBytes(StandardCharsets.UTF_8);
    ByteBuffer section = body(16 + 4 + padded(name.length) + 4);
    // Version 1.0, length of the section not told.
    section.putInt(BYTE_ORDER_MAGIC).putShort((short) 1).putShort((short) 0).putLong(-1);
    section.putShort((short) OPTION_USER_APPLICATION).putShort((short) name.length).put(name);
    writeBlock(SECTION_HEADER, section);
    ByteBuffer description = body(8 + 8 + 4);
    description.putShort((short) LINKTYPE_RAW).putShort((short) 0).putInt(0);
    description.putShort((short) OPTION_TIMESTAMP_RESOLUTION).putShort((short) 1);
    description.put((byte) NANOSECONDS);
    writeBlock(INTERFACE_DESCRIPTION, description);
  }

  /**
   * Writes one packet.
   *
   * @param nanos time since 1970
   * @param packet from its position to its limit, in an array
   */
  void writePacket(long nanos, ByteBuffer packet) throws IOException {
    int length = packet.remaining();
    int total = BLOCK_OVERHEAD + PACKET_FIELDS + padded(length);
    head.clear();
    head.putInt(ENHANCED_PACKET).putInt(total);
    head.putInt(0).putInt((int) (nanos >>> 32)).putInt((int) nanos).putInt(length).putInt(length);
    out.write(head.array(), 0, head.position());
    out.write(packet.array(), packet.arrayOffset() + packet.position(), length);
    head.clear();
    for (int i = length; i < padded(length); i++) {
      head.put((byte) 0);
    }
    head.putInt(total);
    out.write(head.array(), 0, head.position());
  }

  private void writeBlock(int type, ByteBuffer body) throws IOException {
    int total = BLOCK_OVERHEAD + body.capacity();
    head.clear();
    head.putInt(type).putInt(total);
    out.write(head.array(), 0, head.position());
    out.write(body.array());
    head.clear();
    head.putInt(total);
    out.write(head.array(), 0, head.position());
  }

  private static ByteBuffer body(int size) {
    return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static int padded(int length) {
    return length + 3 & ~3;
  }
}
