// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.capture.read;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/** Captures made by hand, in all forms that a reader must know. */
final class CaptureBytes {

  private CaptureBytes() {}

  /** A pcap file. */
  static byte[] pcap(int magic, ByteOrder order, int linkType, List<byte[]> frames) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteBuffer head = ByteBuffer.allocate(24).order(order);
    head.putInt(magic).putShort((short) 2).putShort((short) 4).putLong(0).putInt(1 << 18)
        .putInt(linkType);
    out.writeBytes(head.array());
    for (byte[] frame : frames) {
      ByteBuffer record = ByteBuffer.allocate(16).order(order);
      out.writeBytes(record.putLong(0).putInt(frame.length).putInt(frame.length).array());
      out.writeBytes(frame);
    }
    return out.toByteArray();
  }

  /** A pcapng file: a section, an interface, a block to be skipped, then frames of one type. */
  static byte[] pcapng(ByteOrder order, int linkType, int packetType, List<byte[]> frames) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(block(order, 0x0A0D0D0A, ByteBuffer.allocate(16).order(order)
        .putInt(0x1A2B3C4D).putShort((short) 1).putShort((short) 0).putLong(-1).array()));
    out.writeBytes(block(order, 1, ByteBuffer.allocate(8).order(order)
        .putShort((short) linkType).putShort((short) 0).putInt(0).array()));
    out.writeBytes(block(order, 0xBAD, new byte[] {1, 2, 3, 4}));
    for (byte[] frame : frames) {
      int fields = packetType == 3 ? 4 : 20;
      ByteBuffer body = ByteBuffer.allocate(fields + (frame.length + 3 & ~3)).order(order);
      if (packetType == 3) {
        body.putInt(frame.length);
      } else {
        body.putInt(0).putLong(0).putInt(frame.length).putInt(frame.length);
      }
      out.writeBytes(block(order, packetType, body.put(frame).array()));
    }
    return out.toByteArray();
  }

  static byte[] block(ByteOrder order, int type, byte[] body) {
    int total = 12 + body.length;
    return ByteBuffer.allocate(total).order(order).putInt(type).putInt(total).put(body)
        .putInt(total).array();
  }

  /** Bytes before the IP header of a frame. */
  static byte[] before(byte[] header, byte[] packet) {
    return ByteBuffer.allocate(header.length + packet.length).put(header).put(packet).array();
  }
}
