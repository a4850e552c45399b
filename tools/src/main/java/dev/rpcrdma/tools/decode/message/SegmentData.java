// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.decode.message;

import dev.rpcrdma.protocol.wire.Segment;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/** What a capture has of one segment of a chunk. Memory is taken for what has come, and not for what is announced. */
final class SegmentData {

  /** Bytes that an empty segment takes, about. */
  private static final int OVERHEAD = 256;

  /** Bytes that an entry behind something missing takes beside its data, about. */
  private static final int BEHIND_OVERHEAD = 96;

  private final Segment segment;
  private final ByteArrayOutputStream beginning = new ByteArrayOutputStream(0);
  /** What lies behind something missing, by its place. */
  private final TreeMap<Long, byte[]> behind = new TreeMap<>();
  private long behindBytes;

  SegmentData(Segment segment) {
    this.segment = segment;
  }

  int tag() {
    return segment.handle();
  }

  long address() {
    return segment.offset();
  }

  long length() {
    return segment.unsignedLength();
  }

  /** Takes data that was put into memory of the segment's tag, or fetched from there, if it is that of this segment. */
  void take(long address, ByteBuffer data) {
    long at = address - segment.offset();
    if (at < 0 || at >= segment.unsignedLength()) {
      return;
    }
    byte[] bytes = new byte[(int) Math.min(data.remaining(), segment.unsignedLength() - at)];
    data.get(data.position(), bytes);
    if (at > beginning.size()) {
      keep(at, bytes);
      return;
    }
    append(at, bytes);
    while (!behind.isEmpty() && behind.firstKey() <= beginning.size()) {
      Map.Entry<Long, byte[]> next = behind.pollFirstEntry();
      behindBytes -= BEHIND_OVERHEAD + next.getValue().length;
      append(next.getKey(), next.getValue());
    }
  }

  private void keep(long at, byte[] bytes) {
    byte[] before = behind.get(at);
    if (before == null || before.length < bytes.length) {
      behind.put(at, bytes);
      behindBytes += before == null ? BEHIND_OVERHEAD + bytes.length : bytes.length - before.length;
    }
  }

  /** What came twice counts once. */
  private void append(long at, byte[] bytes) {
    int known = (int) (beginning.size() - at);
    if (known < bytes.length) {
      beginning.write(bytes, known, bytes.length - known);
    }
  }

  /** Returns how many bytes there are from the beginning on. */
  int size() {
    return beginning.size();
  }

  boolean isComplete() {
    return beginning.size() >= segment.unsignedLength();
  }

  /** Returns how many bytes of memory it takes. */
  long held() {
    return OVERHEAD + beginning.size() + behindBytes;
  }

  /** The first bytes, as many as there are. */
  byte[] first(long length) {
    byte[] bytes = beginning.toByteArray();
    return bytes.length <= length ? bytes : Arrays.copyOf(bytes, (int) length);
  }
}
