// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.decode.message;

import dev.rpcrdma.protocol.wire.Segment;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.List;

/** What a capture has of one chunk that holds a message. */
final class ChunkData {

  private final int xid;
  private final long announced;
  private final long apart;
  private final List<SegmentData> segments;

  /**
   * Begins with nothing.
   *
   * @param xid of the message
   * @param announced number of the frame that has the chunk
   * @param apart bytes of the message's data items that are in other chunks
   * @param segments of the chunk
   */
  ChunkData(int xid, long announced, long apart, List<Segment> segments) {
    this.xid = xid;
    this.announced = announced;
    this.apart = apart;
    this.segments = segments.stream().map(SegmentData::new).toList();
  }

  /** How long it is said to be. */
  long length() {
    return segments.stream().mapToLong(SegmentData::length).sum();
  }

  int xid() {
    return xid;
  }

  long announced() {
    return announced;
  }

  long apart() {
    return apart;
  }

  List<Integer> tags() {
    return segments.stream().map(SegmentData::tag).toList();
  }

  void take(int tag, long address, ByteBuffer data) {
    segments.forEach(segment -> segment.take(tag, address, data));
  }

  boolean isComplete() {
    return segments.stream().allMatch(SegmentData::isComplete);
  }

  /** All that there is. */
  ByteBuffer bytes() {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    segments.forEach(segment -> all.writeBytes(segment.first(Long.MAX_VALUE)));
    return ByteBuffer.wrap(all.toByteArray());
  }

  /**
   * What a reply says to be there (RFC 8166 §4.3.3).
   *
   * @param filled the chunk, with the lengths that were filled
   * @return as much of it as there is
   */
  ByteBuffer bytes(List<Segment> filled) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int i = 0; i < Math.min(segments.size(), filled.size()); i++) {
      all.writeBytes(segments.get(i).first(filled.get(i).unsignedLength()));
    }
    return ByteBuffer.wrap(all.toByteArray());
  }
}
