// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.blobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Data and holes of files. */
class ExtentReaderTest {

  private static final int BLOCK = ExtentReader.BLOCK;

  @TempDir
  Path directory;

  private List<Extent> read(byte[] bytes, long offset, long end, int maxData) throws IOException {
    Path file = Files.write(directory.resolve("file"), bytes);
    try (FileChannel channel = FileChannel.open(file)) {
      return ExtentReader.read(channel, offset, end, maxData);
    }
  }

  private static byte[] layout(String blocks) {
    byte[] bytes = new byte[blocks.length() * BLOCK];
    for (int i = 0; i < blocks.length(); i++) {
      if (blocks.charAt(i) == '#') {
        Arrays.fill(bytes, i * BLOCK, (i + 1) * BLOCK, (byte) (i + 1));
      }
    }
    return bytes;
  }

  private static Extent data(byte[] bytes, int from, int to) {
    return Extent.data(from, Buffer.buffer(Arrays.copyOfRange(bytes, from, to)));
  }

  @Test
  @DisplayName("Extents are as long as they can be, and a block with one byte that is no zero is data")
  void extents() throws IOException {
    byte[] bytes = layout("##..#.");
    assertThat(read(bytes, 0, bytes.length, 1 << 20)).containsExactly(data(bytes, 0, 2 * BLOCK),
        Extent.hole(2 * BLOCK, 2 * BLOCK), data(bytes, 4 * BLOCK, 5 * BLOCK), Extent.hole(5 * BLOCK, BLOCK));
    bytes[3 * BLOCK - 1] = 1;
    assertThat(read(bytes, 0, bytes.length, 1 << 20)).startsWith(data(bytes, 0, 3 * BLOCK),
        Extent.hole(3 * BLOCK, BLOCK));
  }

  @Test
  @DisplayName("A part begins and ends where it was asked for, in the middle of blocks and holes")
  void parts() throws IOException {
    byte[] bytes = layout(".#.");
    assertThat(read(bytes, 100, 2 * BLOCK + 7, 1 << 20)).containsExactly(Extent.hole(100, BLOCK - 100),
        data(bytes, BLOCK, 2 * BLOCK), Extent.hole(2 * BLOCK, 7));
    assertThat(read(bytes, BLOCK + 5, BLOCK + 9, 1 << 20)).containsExactly(data(bytes, BLOCK + 5, BLOCK + 9));
    assertThat(read(bytes, 5, 5, 1 << 20)).isEmpty();
  }

  @Test
  @DisplayName("Blocks are whole wherever reading begins, and however much is read at a time")
  void pieces() throws IOException {
    byte[] bytes = new byte[258 * BLOCK];
    bytes[256 * BLOCK + 200] = 1;
    assertThat(read(bytes, 100, bytes.length, 1 << 20)).containsExactly(Extent.hole(100, 256 * BLOCK - 100),
        data(bytes, 256 * BLOCK, 257 * BLOCK), Extent.hole(257 * BLOCK, BLOCK));
  }

  @Test
  @DisplayName("It ends with the block by which there is as much data as was allowed")
  void bounded() throws IOException {
    byte[] bytes = layout("#.##");
    assertThat(read(bytes, 0, bytes.length, BLOCK + 1)).containsExactly(data(bytes, 0, BLOCK),
        Extent.hole(BLOCK, BLOCK), data(bytes, 2 * BLOCK, 3 * BLOCK));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  @DisplayName("Whatever the layout, extents follow one another and hold what the file has")
  void whatever(long seed) throws IOException {
    Random random = new Random(seed);
    byte[] bytes = new byte[600 * BLOCK + random.nextInt(BLOCK)];
    for (int at = 0; at < bytes.length; at += 1 + random.nextInt(20 * BLOCK)) {
      Arrays.fill(bytes, at, Math.min(bytes.length, at + random.nextInt(5 * BLOCK)), (byte) at);
    }
    long offset = random.nextInt(bytes.length);
    Buffer read = Buffer.buffer();
    Optional<Extent> before = Optional.empty();
    for (Extent extent : read(bytes, offset, bytes.length, Integer.MAX_VALUE)) {
      assertThat(extent.offset()).isEqualTo(before.map(Extent::end).orElse(offset));
      assertThat(extent.length()).isPositive();
      before.ifPresent(one -> assertThat(one.data()).as("data and holes alternate")
          .matches(data -> data.isPresent() != extent.data().isPresent()));
      read.appendBuffer(extent.data().orElseGet(() -> Buffer.buffer(new byte[(int) extent.length()])));
      before = Optional.of(extent);
    }
    assertThat(read.getBytes()).isEqualTo(Arrays.copyOfRange(bytes, (int) offset, bytes.length));
  }

  @Test
  @DisplayName("An extent is as long as its bytes")
  void lengths() {
    assertThatThrownBy(() -> new Extent(0, 3, Optional.of(Buffer.buffer("four"))))
        .isInstanceOf(IllegalArgumentException.class).hasMessage("4 bytes in an extent of 3");
  }
}
