// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.rpcrdma.protocol.fault.FaultException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Any bytes as a transport header: lists within the limits, which are the same when they are written
 * and read again, or a {@link FaultException}; and nothing is read behind the end.
 */
@DisplayName("RPC-over-RDMA headers, fuzzed")
final class HeaderFuzzTest {

  private static final WireLimits LIMITS = new WireLimits(20, 100_000, 150_000, 0);
  private static final int EACH = 40;

  /** Some of the recorded headers, without the words that begin each message. */
  static Stream<byte[]> seeds() throws IOException {
    return RecordedHeadersTest.messages().filter(message -> message.length < 200)
        .map(message -> Arrays.copyOfRange(message, RawHeader.LENGTH, message.length))
        .filter(lists -> lists[3] != 0 || lists[7] != 0 || lists[11] != 0).limit(EACH);
  }

  @MethodSource("seeds")
  @FuzzTest
  @DisplayName("R-127 R-147 R-327 B-060 B-061 B-071: any bytes as chunk lists")
  void lists(byte[] bytes) {
    assertThat(CmPrivateData.find(bytes)).isNotNull();
    ByteBuffer source = ByteBuffer.wrap(Arrays.copyOf(bytes, bytes.length + 64), 0, bytes.length);
    ChunkLists lists;
    try {
      lists = ChunkLists.read(source, LIMITS);
    } catch (FaultException e) {
      assertThat(e.fault()).isNotNull();
      return;
    }
    assertThat(lists.encodedLength()).isEqualTo(source.position());
    checkLimits(lists);
    ByteBuffer again = ByteBuffer.allocate(lists.encodedLength());
    lists.write(again);
    assertThat(again.hasRemaining()).isFalse();
    try {
      assertThat(ChunkLists.read(again.flip(), LIMITS)).isEqualTo(lists);
    } catch (FaultException e) {
      throw new AssertionError("Refused when read again: " + HexFormat.of().formatHex(bytes), e);
    }
    returned(lists);
  }

  private static void checkLimits(ChunkLists lists) {
    int last = -1;
    long sum = 0;
    int segments = 0;
    for (ReadChunk chunk : lists.readChunks()) {
      assertThat(chunk.position()).isGreaterThan(last);
      assertThat(chunk.position() % 4).isZero();
      assertThat(chunk.length()).isBetween(0L, LIMITS.chunkBytes());
      last = chunk.position();
      sum += chunk.length();
      segments += chunk.segments().size();
    }
    for (Chunk chunk : lists.writeChunks()) {
      assertThat(chunk.length()).isBetween(0L, LIMITS.chunkBytes());
      segments += chunk.segments().size();
    }
    assertThat(sum).isLessThanOrEqualTo(LIMITS.readBytes());
    assertThat(segments).isLessThanOrEqualTo(LIMITS.segments());
  }

  /** What a responder returns for an accepted chunk is what a requester takes. */
  private static void returned(ChunkLists lists) {
    for (Chunk offered : lists.writeChunks()) {
      for (long written : new long[] {0, 1, offered.length() / 2, offered.length()}) {
        if (written <= offered.length()) {
          Chunk filled = offered.filled(written);
          assertThat(filled.length()).isEqualTo(written);
          assertThat(filled.returnedFor(offered)).isTrue();
        }
      }
    }
  }
}
