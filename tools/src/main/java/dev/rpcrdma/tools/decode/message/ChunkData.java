// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.decode.message;

import dev.rpcrdma.protocol.wire.Segment;
import dev.rpcrdma.tools.decode.message.MessageRoom.Unfinished;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Bytes that a capture has of one chunk with a message. Each byte of a capture is kept once at most. */
final class ChunkData implements Unfinished {

  /** Bytes that a chunk without segments takes, about. */
  private static final int OVERHEAD = 256;

  /**
   * Bytes of data items that are in other chunks of a message.
   *
   * @param read in Read chunks, if it is a call
   * @param written in Write chunks, if it is a reply
   */
  record Apart(long read, long written) {
    static final Apart NOTHING = new Apart(0, 0);
  }

  private final int xid;
  private final long announced;
  private final Apart apart;
  private final List<SegmentData> segments;
  /** Segments that are not empty, by tag and unsigned address. */
  private final Map<Integer, NavigableMap<Long, SegmentData>> places = new HashMap<>();
  private final Consumer<ChunkData> forget;
  private long held = OVERHEAD;
  private boolean overlaps;
  private int incomplete;

  /**
   * Begins with nothing.
   *
   * @param xid of the message
   * @param announced number of the frame that has the chunk
   * @param apart what other chunks have
   * @param segments of the chunk
   * @param forget called if the chunk takes memory that others need
   */
  ChunkData(int xid, long announced, Apart apart, List<Segment> segments, Consumer<ChunkData> forget) {
    this.xid = xid;
    this.announced = announced;
    this.apart = apart;
    this.segments = segments.stream().map(SegmentData::new).toList();
    this.forget = forget;
    for (SegmentData segment : this.segments) {
      held += segment.held();
      if (segment.length() > 0) {
        incomplete++;
        place(segment, places.computeIfAbsent(segment.tag(), tag -> new TreeMap<>(Long::compareUnsigned)));
      }
    }
  }

  private void place(SegmentData segment, NavigableMap<Long, SegmentData> ofTag) {
    Map.Entry<Long, SegmentData> before = ofTag.floorEntry(segment.address());
    Map.Entry<Long, SegmentData> behind = ofTag.higherEntry(segment.address());
    overlaps |= before != null && reaches(before.getValue(), segment)
        || behind != null && reaches(segment, behind.getValue());
    ofTag.putIfAbsent(segment.address(), segment);
  }

  private static boolean reaches(SegmentData lower, SegmentData upper) {
    return Long.compareUnsigned(upper.address() - lower.address(), lower.length()) < 0;
  }

  /** Tells whether segments have memory in common. */
  boolean overlaps() {
    return overlaps;
  }

  @Override
  public void forget() {
    forget.accept(this);
  }

  /** Returns how many bytes of memory it takes. */
  long held() {
    return held;
  }

  int xid() {
    return xid;
  }

  long announced() {
    return announced;
  }

  Apart apart() {
    return apart;
  }

  void forEachPlace(BiConsumer<Integer, Long> place) {
    places.forEach((tag, ofTag) -> ofTag.keySet().forEach(address -> place.accept(tag, address)));
  }

  void take(int tag, long address, ByteBuffer data) {
    NavigableMap<Long, SegmentData> ofTag = places.get(tag);
    Map.Entry<Long, SegmentData> place = ofTag == null ? null : ofTag.floorEntry(address);
    if (place == null) {
      return;
    }
    SegmentData segment = place.getValue();
    boolean complete = segment.isComplete();
    held -= segment.held();
    segment.take(address, data);
    held += segment.held();
    incomplete -= !complete && segment.isComplete() ? 1 : 0;
  }

  boolean isComplete() {
    return incomplete == 0;
  }

  /** All that there is. */
  ByteBuffer bytes() {
    ByteBuffer all = ByteBuffer.allocate((int) segments.stream().mapToLong(SegmentData::size).sum());
    segments.forEach(segment -> all.put(segment.first(Long.MAX_VALUE)));
    return all.flip();
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
