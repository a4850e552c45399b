// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.wire;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A range of the requester's memory (RFC 8166 §4.1, xdr_rdma_segment; "HLOO").
 *
 * @param handle the steering tag
 * @param length number of bytes, unsigned
 * @param offset the address under that tag, unsigned
 */
public record Segment(int handle, int length, long offset) {

  /** Size on the wire. */
  public static final int ENCODED_LENGTH = 16;

  /**
   * The length as a number.
   *
   * @return 0 to 2^32-1
   */
  public long unsignedLength() {
    return Integer.toUnsignedLong(length);
  }

  /**
   * This segment with another length.
   *
   * @param bytes the new length, unsigned
   * @return a copy
   */
  public Segment withLength(int bytes) {
    return new Segment(handle, bytes, offset);
  }

  /**
   * Segments as one Write or Read can take them.
   *
   * @param segments in order
   * @param longest most bytes of one operation
   * @return the same bytes in the same order, without segments that have none
   */
  public static List<Segment> cut(List<Segment> segments, int longest) {
    List<Segment> pieces = new ArrayList<>(segments.size());
    for (Segment segment : segments) {
      long length = segment.unsignedLength();
      for (long at = 0; at < length; at += longest) {
        pieces.add(new Segment(segment.handle, (int) Math.min(longest, length - at), segment.offset + at));
      }
    }
    return pieces;
  }

  void write(ByteBuffer target) {
    target.putInt(handle).putInt(length).putLong(offset);
  }

  static Segment read(ByteBuffer source) {
    return new Segment(source.getInt(), source.getInt(), source.getLong());
  }
}
