// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.wire;

import java.util.ArrayList;
import java.util.List;

/**
 * A Write chunk or Reply chunk: segments that are filled one after the other (RFC 8166 §3.4.6).
 *
 * @param segments possibly none: an empty chunk
 */
public record Chunk(List<Segment> segments) {

  /** A chunk without segments, whose result goes inline (RFC 8166 §4.3.2). */
  public static final Chunk EMPTY = new Chunk(List.of());

  /** Copies the list. */
  public Chunk {
    segments = List.copyOf(segments);
  }

  /**
   * A chunk of one segment.
   *
   * @param segment the segment
   * @return the chunk
   */
  public static Chunk of(Segment segment) {
    return new Chunk(List.of(segment));
  }

  /**
   * The sum of the segments' lengths.
   *
   * @return bytes; cannot overflow, since the number of segments is bounded
   */
  public long length() {
    long sum = 0;
    for (Segment segment : segments) {
      sum += segment.unsignedLength();
    }
    return sum;
  }

  /**
   * The chunk as a responder returns it after it wrote some bytes: the same segments, each with the
   * number of bytes written to it.
   *
   * @param written number of bytes, at most {@link #length()}
   * @return a copy
   */
  public Chunk filled(long written) {
    List<Segment> filled = new ArrayList<>(segments.size());
    long left = written;
    for (Segment segment : segments) {
      long here = Math.min(left, segment.unsignedLength());
      filled.add(segment.withLength((int) here));
      left -= here;
    }
    return new Chunk(filled);
  }

  /**
   * Whether a responder could have returned this chunk for an offered one: the same handles and
   * offsets, no segment longer, and none filled after one that was not filled to its end.
   *
   * @param offered what the requester sent
   * @return true if so
   */
  public boolean returnedFor(Chunk offered) {
    if (segments.size() != offered.segments.size()) {
      return false;
    }
    boolean full = true;
    for (int i = 0; i < segments.size(); i++) {
      Segment mine = segments.get(i);
      Segment theirs = offered.segments.get(i);
      if (mine.handle() != theirs.handle() || mine.offset() != theirs.offset()
          || mine.unsignedLength() > theirs.unsignedLength() || (!full && mine.length() != 0)) {
        return false;
      }
      full = mine.length() == theirs.length();
    }
    return true;
  }
}
