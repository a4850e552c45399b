// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.capture.read;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** What both capture formats have in common: reading exactly, and numbering frames. */
abstract class PacketReader {

  /** The longest frame that is believed; what people capture has at most 256 KiB. */
  static final int MAX_FRAME_BYTES = 1 << 24;

  private final InputStream in;
  private long frame;

  PacketReader(InputStream in) {
    this.in = in;
  }

  /**
   * Chooses the reader by the first four bytes of a file.
   *
   * @throws CaptureFormatException if it is neither format
   */
  static PacketReader of(InputStream in) throws IOException {
    byte[] magic = in.readNBytes(4);
    if (magic.length == 4) {
      int word = ByteBuffer.wrap(magic).getInt();
      if (word == PcapngReader.SECTION_HEADER) {
        return new PcapngReader(in);
      }
      for (ByteOrder order : new ByteOrder[] {ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN}) {
        if (PcapReader.isMagic(ByteBuffer.wrap(magic).order(order).getInt())) {
          return new PcapReader(in, order);
        }
      }
    }
    throw new CaptureFormatException("This is neither a pcap nor a pcapng file");
  }

  /**
   * The next frame.
   *
   * @return the frame, or null at the end
   * @throws CaptureFormatException if the file ends early or contradicts itself
   */
  abstract CapturedPacket next() throws IOException;

  CapturedPacket packet(int linkType, ByteBuffer bytes) {
    return new CapturedPacket(++frame, linkType, bytes.slice().order(ByteOrder.BIG_ENDIAN));
  }

  /** Reads exactly so many bytes, or returns null at the end of the file where it may end; then at least one byte. */
  ByteBuffer read(int length, boolean mayEnd) throws IOException {
    byte[] bytes = in.readNBytes(length);
    if (bytes.length == 0 && mayEnd) {
      return null;
    }
    if (bytes.length < length) {
      throw new CaptureFormatException("The capture is truncated: it ends within what follows "
          + "frame " + frame);
    }
    return ByteBuffer.wrap(bytes);
  }

  CaptureFormatException invalid(String what) {
    return new CaptureFormatException("The capture is damaged behind frame " + frame + ": "
        + what);
  }
}
