// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.xdr;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How much memory what was written holds. */
class WriterMemoryTest {

  /** An array and its head. */
  private static final int HEAD = 16;

  /** Written in small pieces, as a service does that has a list. */
  private static XdrWriter written(int length) {
    XdrWriter writer = new XdrWriter();
    for (int i = 0; i < length / 4; i++) {
      writer.int32(i);
    }
    return writer;
  }

  /** Fails if {@code XdrWriter.reserve} doubles without regard to the head of an array. */
  @ParameterizedTest
  @ValueSource(ints = {300, 5_000, 250_000, 520_000, 1_000_000})
  @DisplayName("With its head the memory of what is written takes no more than a power of two")
  void growth(int length) {
    long memory = written(length).memory() + HEAD;
    assertThat(memory).isBetween((long) length, 2L * Integer.highestOneBit(length));
  }

  /** Fails if {@code XdrWriter.toPayloadStream} hands over whatever memory there is. */
  @ParameterizedTest
  @ValueSource(ints = {3_000, 4_096, 5_000, 8_000, 270_000, 400_000, 500_000})
  @DisplayName("What is long holds at most a third more than it is long, and is what was written")
  void handedOver(int length) {
    XdrWriter writer = written(length);
    byte[] bytes = writer.toByteArray();
    assertThat(writer.memory()).isBetween((long) length, length < 4096 ? 4096L : length * 4L / 3);
    PayloadStream stream = writer.toPayloadStream();
    ByteBuffer copy = ByteBuffer.allocate((int) stream.length());
    stream.copyTo(copy, item -> false);
    assertThat(copy.array()).isEqualTo(bytes);
  }

  /** Fails if {@code XdrWriter.memory} takes a large writer that is used again for a short reply for a long one. */
  @Test
  @DisplayName("A writer that has grown and is used again holds what is written now")
  void usedAgain() {
    assertThat(written(100_000).clear().int32(1).memory()).isEqualTo(4);
  }

  /** Fails if data items count wherever they are, or nowhere. */
  @Test
  @DisplayName("Data items on the heap count, and others do not")
  void items() {
    XdrWriter writer = new XdrWriter();
    long before = writer.memory();
    writer.dataItem(DataItem.of(new byte[10_000]));
    assertThat(writer.memory()).isEqualTo(before + 10_000);
    writer.dataItem(new DataItem() {
      @Override
      public int length() {
        return 5_000;
      }

      @Override
      public void copyTo(ByteBuffer target) {
        target.put(new byte[5_000]);
      }
    });
    assertThat(writer.memory()).isEqualTo(before + 10_000);
    byte[] message = new XdrWriter().opaque(new byte[7_000]).toByteArray();
    DataItem argument = XdrReader.passing(ByteBuffer.wrap(message), ItemSource.NONE).dataItem(message.length);
    assertThat(new XdrWriter().dataItem(argument).memory()).as("of its message").isEqualTo(before);
    assertThat(new XdrWriter().dataItem(argument.retain()).memory()).as("a copy").isEqualTo(before + 7_000);
  }
}
