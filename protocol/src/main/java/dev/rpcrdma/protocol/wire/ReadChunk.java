package dev.rpcrdma.protocol.wire;

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
}
