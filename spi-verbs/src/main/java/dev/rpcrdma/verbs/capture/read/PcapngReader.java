// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.capture.read;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the pcapng format: sections of either byte order, each with interfaces of its own; blocks
 * that are not frames are skipped.
 *
 * <pre>
 *   block:  type (4) | total length (4) | body | total length (4)
 * </pre>
 */
final class PcapngReader extends PacketReader {

  static final int SECTION_HEADER = 0x0A0D0D0A;
  private static final int INTERFACE_DESCRIPTION = 0x00000001;
  private static final int OBSOLETE_PACKET = 0x00000002;
  private static final int SIMPLE_PACKET = 0x00000003;
  private static final int ENHANCED_PACKET = 0x00000006;
  private static final int BYTE_ORDER_MAGIC = 0x1A2B3C4D;
  private static final int BLOCK_OVERHEAD = 12;
  private static final int PACKET_FIELDS = 20;
  /** Interfaces of a section; a machine has fewer by far. */
  private static final int MOST_INTERFACES = 1 << 16;

  /** What an interface description tells that matters here. */
  private record Interface(int linkType, int snapLength) {}

  private final List<Interface> interfaces = new ArrayList<>();
  private ByteOrder order = ByteOrder.BIG_ENDIAN;

  /** The type of the first section header has been read. */
  PcapngReader(InputStream in) throws IOException {
    super(in);
    section();
  }

  @Override
  CapturedPacket next() throws IOException {
    while (true) {
      ByteBuffer word = read(4, true);
      if (word == null) {
        return null;
      }
      int type = word.order(order).getInt(0);
      if (type == SECTION_HEADER) {
        section();
        continue;
      }
      ByteBuffer body = body(read(4, false).order(order).getInt(0), 0);
      CapturedPacket packet = block(type, body);
      if (packet != null) {
        return packet;
      }
    }
  }

  private void section() throws IOException {
    ByteBuffer head = read(8, false);
    order = head.getInt(4) == BYTE_ORDER_MAGIC ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    head.order(order);
    if (head.getInt(4) != BYTE_ORDER_MAGIC) {
      throw invalid("a section header without its byte-order magic");
    }
    interfaces.clear();
    body(head.getInt(0), 4);
  }

  /** Reads the rest of a block, checks both of its lengths and gives its body. */
  private ByteBuffer body(int total, int alreadyRead) throws IOException {
    if (total < BLOCK_OVERHEAD + alreadyRead || total > MAX_FRAME_BYTES || total % 4 != 0) {
      throw invalid("a block of " + Integer.toUnsignedString(total) + " bytes");
    }
    int length = total - BLOCK_OVERHEAD - alreadyRead;
    ByteBuffer body = read(length + 4, false).order(order);
    if (body.getInt(length) != total) {
      throw invalid("a block whose two lengths differ");
    }
    return body.limit(length);
  }

  private CapturedPacket block(int type, ByteBuffer body) throws IOException {
    switch (type) {
      case INTERFACE_DESCRIPTION:
        need(body, 8);
        if (interfaces.size() == MOST_INTERFACES) {
          throw invalid("more than " + MOST_INTERFACES + " interfaces");
        }
        interfaces.add(new Interface(body.getShort(0) & 0xFFFF, body.getInt(4)));
        return null;
      case ENHANCED_PACKET:
        need(body, PACKET_FIELDS);
        return frame(body, body.getInt(0), PACKET_FIELDS, body.getInt(12));
      case OBSOLETE_PACKET:
        need(body, PACKET_FIELDS);
        return frame(body, body.getShort(0) & 0xFFFF, PACKET_FIELDS, body.getInt(12));
      case SIMPLE_PACKET:
        need(body, 4);
        return frame(body, 0, 4, simpleLength(body));
      default:
        return null;
    }
  }

  /** A simple packet tells only its original length; the interface tells what was kept of it. */
  private int simpleLength(ByteBuffer body) {
    int kept = Math.min(body.getInt(0), body.limit() - 4);
    int snap = interfaces.isEmpty() ? 0 : interfaces.get(0).snapLength();
    return snap > 0 ? Math.min(kept, snap) : kept;
  }

  private void need(ByteBuffer body, int bytes) throws CaptureFormatException {
    if (body.limit() < bytes) {
      throw invalid("a block that is too short for its type");
    }
  }

  private CapturedPacket frame(ByteBuffer body, int number, int at, int length)
      throws CaptureFormatException {
    if (number < 0 || number >= interfaces.size()) {
      throw invalid("a frame of an interface that is not described");
    }
    if (length < 0 || length > body.limit() - at) {
      throw invalid("a frame of " + Integer.toUnsignedString(length) + " bytes in a block of "
          + body.limit());
    }
    return packet(interfaces.get(number).linkType(), body.position(at).limit(at + length));
  }
}
