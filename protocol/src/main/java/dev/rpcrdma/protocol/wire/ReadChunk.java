// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.wire;

import java.util.ArrayList;
import java.util.List;

/**
 * The read segments of one Position (RFC 8166 §3.4.5): one data item, or at Position zero the whole
 * Payload stream.
 *
 * @param position offset in the unreduced Payload stream, a multiple of four, at most 2^31-4
 * @param segments at least one, in list order
 */
public record ReadChunk(int position, List<Segment> segments) {

  /** Copies the list. */
  public ReadChunk {
    segments = List.copyOf(segments);
  }

  /**
   * The sum of the segments' lengths.
   *
   * @return bytes
   */
  public long length() {
    long sum = 0;
    for (Segment segment : segments) {
      sum += segment.unsignedLength();
    }
    return sum;
  }

  /**
   * The beginning of the chunk.
   *
   * @param bytes how many at most, at least 1
   * @return a chunk at the same Position, with a part of the segments
   */
  public ReadChunk first(int bytes) {
    List<Segment> first = new ArrayList<>(1);
    long left = bytes;
    for (Segment segment : segments) {
      if (left > 0) {
        int length = (int) Math.min(left, segment.unsignedLength());
        first.add(new Segment(segment.handle(), length, segment.offset()));
        left -= length;
      }
    }
    return new ReadChunk(position, first);
  }

  /**
   * What is behind the beginning of the chunk.
   *
   * @param bytes how many are left out, as {@link #first} has them
   * @return segments in list order; none if there is nothing behind it
   */
  public List<Segment> behind(int bytes) {
    if (bytes == 0) {
      // As of nearly all chunks: nothing is copied for it.
      return segments;
    }
    List<Segment> behind = new ArrayList<>(segments.size());
    long left = bytes;
    for (Segment segment : segments) {
      int without = (int) Math.min(left, segment.unsignedLength());
      left -= without;
      if (without < segment.unsignedLength()) {
        behind.add(new Segment(segment.handle(), segment.length() - without, segment.offset() + without));
      }
    }
    return behind;
  }
}
