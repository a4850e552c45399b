// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.decode.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.protocol.wire.Segment;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Bytes of one segment, in any order, and what they take. */
@DisplayName("Segments of captured chunks")
final class SegmentDataTest {

  private static final int PLACE = 1000;
  private static final int EMPTY = 256;
  private static final int BEHIND = 96;

  private final SegmentData segment = new SegmentData(new Segment(1, 10, PLACE));

  private void take(int at, int... bytes) {
    ByteBuffer data = ByteBuffer.allocate(bytes.length);
    for (int each : bytes) {
      data.put((byte) each);
    }
    segment.take(PLACE + at, data.flip());
  }

  @Test
  @DisplayName("Bytes before the segment and behind it are others'; those that reach beyond it are cut")
  void bounds() {
    take(-1, 9);
    take(10, 9);
    assertThat(segment.held()).isEqualTo(EMPTY);
    take(8, 8, 9, 10, 11);
    assertThat(segment.held()).isEqualTo(EMPTY + BEHIND + 2);
    take(0, 0, 1, 2, 3, 4, 5, 6, 7);
    assertThat(segment.isComplete()).isTrue();
    assertThat(segment.first(Long.MAX_VALUE)).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    assertThat(segment.first(3)).containsExactly(0, 1, 2);
  }

  /** Fails if {@code SegmentData.keep} or {@code take} counts what is replaced, or what is not kept. */
  @Test
  @DisplayName("Of bytes that come early at one place the longest are kept, and count until they are in order")
  void early() {
    take(4, 4, 5);
    assertThat(segment.held()).isEqualTo(EMPTY + BEHIND + 2);
    take(4, 4, 5, 6, 7);
    assertThat(segment.held()).isEqualTo(EMPTY + BEHIND + 4);
    take(4, 9);
    take(4, 9, 9, 9, 9);
    assertThat(segment.held()).isEqualTo(EMPTY + BEHIND + 4);
    take(6, 6);
    assertThat(segment.held()).isEqualTo(EMPTY + 2 * BEHIND + 5);
    take(0, 0, 1, 2, 3);
    assertThat(segment.held()).isEqualTo(EMPTY + 8);
    assertThat(segment.first(8)).containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
    assertThat(segment.isComplete()).isFalse();
  }
}
