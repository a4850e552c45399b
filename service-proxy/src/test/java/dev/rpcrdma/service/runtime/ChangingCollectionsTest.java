// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Collections that somebody changes while they are written. Fails if {@code ValueWriter.counted} counts the collection
 * itself, and not what is written.
 */
class ChangingCollectionsTest {

  private static List<Integer> numbers(XdrWriter writer) {
    XdrReader reader = new XdrReader(ByteBuffer.wrap(writer.toByteArray()));
    List<Integer> all = new ArrayList<>();
    while (reader.remaining() > 0) {
      all.add(reader.int32());
    }
    return all;
  }

  @Test
  @DisplayName("A queue gets one more, and loses one, while it is written: it crosses as it was")
  void queue() {
    Collection<Integer> queue = new ConcurrentLinkedQueue<>(List.of(7, 8, 9));
    XdrWriter writer = new XdrWriter();
    new ValueWriter(writer).collection(queue, 10, "queue", element -> {
      if (element == 7) {
        queue.add(10);
        queue.add(11);
        queue.remove(8);
      }
      writer.int32(element);
    });
    assertThat(numbers(writer)).containsExactly(3, 7, 8, 9);
  }

  @Test
  @DisplayName("A map loses all entries while it is written: it crosses as it was")
  void map() {
    Map<Integer, Integer> map = new ConcurrentHashMap<>(Map.of(1, 2, 3, 4));
    XdrWriter writer = new XdrWriter();
    new ValueWriter(writer).map(map, 10, "map", key -> {
      map.clear();
      writer.int32(key);
    }, writer::int32);
    assertThat(numbers(writer)).containsExactly(2, 1, 2, 3, 4);
  }
}
