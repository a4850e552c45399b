// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.decode.message;

import dev.rpcrdma.protocol.wire.Segment;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/** What a capture has of one segment of a chunk. Memory is taken for what has come, and not for what is announced. */
final class SegmentData {

  private final Segment segment;
  private final ByteArrayOutputStream beginning = new ByteArrayOutputStream(0);
  /** What lies behind something missing, by its place. */
  private final TreeMap<Long, byte[]> behind = new TreeMap<>();

  SegmentData(Segment segment) {
    this.segment = segment;
  }

  int tag() {
    return segment.handle();
  }

  long length() {
    return segment.unsignedLength();
  }

  /** Takes data that was put into memory of the tag, or fetched from there, if it is that of this segment. */
  void take(int tag, long address, ByteBuffer data) {
    long at = address - segment.offset();
    if (tag != segment.handle() || at < 0 || at >= segment.unsignedLength()) {
      return;
    }
    byte[] bytes = new byte[(int) Math.min(data.remaining(), segment.unsignedLength() - at)];
    data.get(data.position(), bytes);
    if (at > beginning.size()) {
      behind.merge(at, bytes, (before, now) -> before.length < now.length ? now : before);
      return;
    }
    append(at, bytes);
    while (!behind.isEmpty() && behind.firstKey() <= beginning.size()) {
      Map.Entry<Long, byte[]> next = behind.pollFirstEntry();
      append(next.getKey(), next.getValue());
    }
  }

  /** What came twice counts once. */
  private void append(long at, byte[] bytes) {
    int known = (int) (beginning.size() - at);
    if (known < bytes.length) {
      beginning.write(bytes, known, bytes.length - known);
    }
  }

  boolean isComplete() {
    return beginning.size() >= segment.unsignedLength();
  }

  /** The first bytes, as many as there are. */
  byte[] first(long length) {
    byte[] bytes = beginning.toByteArray();
    return bytes.length <= length ? bytes : Arrays.copyOf(bytes, (int) length);
  }
}
