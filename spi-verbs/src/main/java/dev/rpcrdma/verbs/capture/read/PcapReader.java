// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.capture.read;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Reads the classic capture format, of either byte order and with either resolution of time.
 *
 * <pre>
 *   file:   magic (4) | version (4) | zone (4) | accuracy (4) | snap length (4) | link type (4)
 *   frame:  seconds (4) | fraction (4) | captured length (4) | original length (4) | bytes
 * </pre>
 */
final class PcapReader extends PacketReader {

  private static final int MICROSECONDS = 0xA1B2C3D4;
  private static final int NANOSECONDS = 0xA1B23C4D;
  private static final int REST_OF_FILE_HEADER = 20;
  private static final int FRAME_HEADER = 16;

  private final ByteOrder order;
  private final int linkType;

  /** The magic has been read. */
  PcapReader(InputStream in, ByteOrder order) throws IOException {
    super(in);
    this.order = order;
    // The upper bits may tell of a frame check sequence.
    this.linkType = read(REST_OF_FILE_HEADER, false).order(order).getInt(16) & 0xFFFF;
  }

  static boolean isMagic(int word) {
    return word == MICROSECONDS || word == NANOSECONDS;
  }

  @Override
  CapturedPacket next() throws IOException {
    ByteBuffer header = read(FRAME_HEADER, true);
    if (header == null) {
      return null;
    }
    int length = header.order(order).getInt(8);
    if (length < 0 || length > MAX_FRAME_BYTES) {
      throw invalid("a frame of " + Integer.toUnsignedString(length) + " bytes");
    }
    return packet(linkType, read(length, false));
  }
}
