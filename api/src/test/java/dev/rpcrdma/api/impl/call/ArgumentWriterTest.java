// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.protocol.xdr.DataItem;
import dev.rpcrdma.protocol.xdr.PayloadStream;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What becomes of the bytes of arguments, on one thread. */
class ArgumentWriterTest {

  private static final int MOST_SPENT = 128;

  @AfterEach
  void useUp() {
    for (int i = 0; i < MOST_SPENT; i++) {
      words(0);
    }
  }

  private static PayloadStream words(int... words) {
    return ArgumentWriter.encode(writer -> {
      for (int word : words) {
        writer.int32(word);
      }
    });
  }

  @Test
  void spentArgumentsAreUsedAgain() {
    PayloadStream first = words(1, 2);
    ArgumentWriter.spent(first);
    PayloadStream second = words(3);
    assertThat(second).isSameAs(first);
    assertThat(second.toByteArray()).containsExactly(0, 0, 0, 3);
    PayloadStream third = words(4);
    assertThat(third).isNotSameAs(second);
    assertThat(second.toByteArray()).containsExactly(0, 0, 0, 3);
  }

  @Test
  void spentArgumentsWithoutRoomAreNot() {
    PayloadStream small = words(1);
    ArgumentWriter.spent(small);
    PayloadStream larger = words(2, 3);
    assertThat(larger).isNotSameAs(small);
    assertThat(larger.toByteArray()).containsExactly(0, 0, 0, 2, 0, 0, 0, 3);
    assertThat(small.toByteArray()).containsExactly(0, 0, 0, 1);
  }

  @Test
  void argumentsWithItemsAreNeitherUsedAgainNorMadeOfOthers() {
    XdrEncoder withItem = writer -> writer.dataItem(DataItem.of(new byte[8])).int32(1);
    PayloadStream spent = ArgumentWriter.encode(withItem);
    ArgumentWriter.spent(spent);
    PayloadStream plain = words(1);
    assertThat(plain).isNotSameAs(spent);
    ArgumentWriter.spent(plain);
    assertThat(ArgumentWriter.encode(withItem)).isNotSameAs(plain);
  }

  @Test
  void largeArgumentsAreNotKept() {
    PayloadStream large = words(new int[300]);
    ArgumentWriter.spent(large);
    assertThat(words(1)).isNotSameAs(large);
  }

  @Test
  void noMoreAreKeptThanAThreadHasUseFor() {
    List<PayloadStream> streams = new ArrayList<>();
    for (int i = 0; i < 2 * MOST_SPENT; i++) {
      streams.add(words(i));
    }
    streams.forEach(ArgumentWriter::spent);
    int again = 0;
    for (int i = 0; i < 2 * MOST_SPENT; i++) {
      PayloadStream made = words(-1);
      again += streams.stream().anyMatch(stream -> stream == made) ? 1 : 0;
    }
    assertThat(again).isEqualTo(MOST_SPENT);
  }

  @Test
  void anEncoderMayMakeAnotherCall() {
    List<PayloadStream> inner = new ArrayList<>();
    PayloadStream outer = ArgumentWriter.encode(writer -> {
      writer.int32(1);
      inner.add(words(7));
      writer.int32(2);
    });
    assertThat(outer.toByteArray()).containsExactly(0, 0, 0, 1, 0, 0, 0, 2);
    assertThat(inner.get(0).toByteArray()).containsExactly(0, 0, 0, 7);
  }
}
