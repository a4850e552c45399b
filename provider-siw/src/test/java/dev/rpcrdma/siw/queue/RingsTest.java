// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.siw.memory.ExposureTable;
import dev.rpcrdma.siw.memory.SiwExposure;
import dev.rpcrdma.siw.memory.TagSource;
import dev.rpcrdma.verbs.Access;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.WorkCompletion.Opcode;
import dev.rpcrdma.verbs.support.HostMemory;
import dev.rpcrdma.verbs.support.HostProtectionDomain;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rings against plain queues, at every depth and wherever they are when they grow. */
@DisplayName("siw: rings")
final class RingsTest {

  private final HostProtectionDomain domain = new HostProtectionDomain();
  private final HostMemory memory = (HostMemory) domain.register(ByteBuffer.allocateDirect(64),
      LocalMemory.Backing.MEMORY).result();
  private final ArrayDeque<Integer> model = new ArrayDeque<>();
  private final Random random = new Random(1);
  private int next;

  /** Adds or takes at random, more of the one for a while and then of the other. */
  private boolean adds(int step, int capacity) {
    boolean add = random.nextInt(10) < (step / (capacity + 20) % 2 == 0 ? 8 : 2);
    return model.isEmpty() || add && model.size() < capacity;
  }

  @Test
  @DisplayName("A ring begins with few slots, however great a depth is announced")
  void firstSize() {
    assertThat(new int[] {Rings.firstSize(0), Rings.firstSize(1), Rings.firstSize(2), Rings.firstSize(3),
        Rings.firstSize(4), Rings.firstSize(5), Rings.firstSize(16), Rings.firstSize(17),
        Rings.firstSize(1 << 16)}).containsExactly(2, 2, 2, 4, 4, 8, 16, 16, 16);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 16, 17, 100, 128})
  @DisplayName("P-017: Reads that this side asked for come back in their order")
  void outboundReads(int capacity) {
    OutboundReads ring = new OutboundReads(capacity);
    for (int step = 0; step < 3000; step++) {
      if (adds(step, capacity)) {
        ring.add(next, next * 3L, next * 5L);
        model.add(next++);
      } else {
        int oldest = model.remove();
        assertThat(ring.sinkTag()).isEqualTo(oldest);
        assertThat(ring.index()).isEqualTo(oldest * 5L);
        assertThat(ring.nextOffset()).isEqualTo(oldest * 3L);
        ring.place(7);
        assertThat(ring.placed()).isEqualTo(7);
        assertThat(ring.nextOffset()).isEqualTo(oldest * 3L + 7);
        ring.removeHead();
        assertThat(ring.placed()).isZero();
      }
      assertThat(ring.size()).isEqualTo(model.size());
      assertThat(ring.isEmpty()).isEqualTo(model.isEmpty());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 16, 17, 100, 128})
  @DisplayName("P-017: Reads that the peer asked for are answered in their order, and no more than the IRD")
  void inboundReads(int capacity) {
    InboundReads ring = new InboundReads(capacity);
    SiwExposure exposure = new ExposureTable(new TagSource()).expose(1, memory, 0, 64, Access.REMOTE_READ);
    long removed = 0;
    for (int step = 0; step < 3000; step++) {
      assertThat(ring.isFull()).isEqualTo(model.size() == capacity);
      if (adds(step, capacity)) {
        ring.add(next, next * 3L, next % 2 == 0 ? null : exposure, next * 5, next * 7);
        model.add(next++);
      } else {
        int oldest = model.remove();
        assertThat(ring.hasWork()).isTrue();
        assertThat(ring.sinkTag()).isEqualTo(oldest);
        assertThat(ring.sinkOffset()).isEqualTo(oldest * 3L);
        assertThat(ring.index()).isEqualTo(oldest * 5);
        assertThat(ring.length()).isEqualTo(oldest * 7);
        assertThat(ring.exposure()).isSameAs(oldest % 2 == 0 ? null : exposure);
        assertThat(ring.headBelow(ring.produced())).isFalse();
        ring.advanceProduced();
        assertThat(ring.produced()).isEqualTo(++removed);
        assertThat(ring.headBelow(ring.produced())).isTrue();
        assertThat(ring.removeHead()).isSameAs(oldest % 2 == 0 ? null : exposure);
      }
      assertThat(ring.isEmpty()).isEqualTo(model.isEmpty());
      assertThat(ring.hasWork()).isEqualTo(!model.isEmpty());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 16, 17, 100, 128})
  @DisplayName("B-026: what is posted to the send queue is kept as it was, up to its depth")
  void sendQueue(int capacity) {
    SendQueue ring = new SendQueue(capacity);
    Opcode[] opcodes = {Opcode.SEND, Opcode.WRITE, Opcode.READ};
    int reads = 0;
    for (int step = 0; step < 3000; step++) {
      assertThat(ring.isFull()).isEqualTo(model.size() == capacity);
      if (adds(step, capacity)) {
        Opcode opcode = opcodes[next % 3];
        ring.post(next, opcode, memory, next * 3, next * 5, next * 7, next * 11L, next % 2 == 0);
        ring.ring();
        reads += opcode == Opcode.READ ? 1 : 0;
        model.add(next++);
      } else {
        int oldest = model.remove();
        long index = ring.head();
        assertThat(ring.id(index)).isEqualTo(oldest);
        assertThat(ring.opcode(index)).isEqualTo(opcodes[oldest % 3]);
        assertThat(ring.memory(index)).isSameAs(memory);
        assertThat(ring.offset(index)).isEqualTo(oldest * 3);
        assertThat(ring.length(index)).isEqualTo(oldest * 5);
        assertThat(ring.tag(index)).isEqualTo(oldest * 7);
        assertThat(ring.remoteOffset(index)).isEqualTo(oldest * 11L);
        assertThat(ring.invalidates(index)).isEqualTo(oldest % 2 == 0);
        assertThat(ring.headDone()).isFalse();
        ring.advanceProduced();
        ring.handedOver(ring.produced());
        assertThat(ring.headDone()).isEqualTo(oldest % 3 != 2);
        if (oldest % 3 == 2) {
          ring.readDone(index);
          assertThat(ring.headDone()).isTrue();
          reads--;
        }
        ring.removeHead();
      }
      assertThat(ring.reads()).isEqualTo(reads);
      assertThat(ring.isEmpty()).isEqualTo(model.isEmpty());
      assertThat(ring.headDone()).isFalse();
    }
    assertThat(ring.capacity()).isEqualTo(capacity);
    while (!ring.isEmpty()) {
      ring.removeHead();
    }
    assertThat(memory.deregister().succeeded()).as("given up with the last request").isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 16, 17, 100, 128})
  @DisplayName("B-026: Receives are taken in their order, up to the depth")
  void receiveQueue(int capacity) {
    ReceiveQueue ring = new ReceiveQueue(capacity);
    for (int step = 0; step < 3000; step++) {
      assertThat(ring.isFull()).isEqualTo(model.size() == capacity);
      if (adds(step, capacity)) {
        ring.post(next, memory, next * 3, next * 5);
        model.add(next++);
      } else {
        int oldest = model.remove();
        assertThat(ring.headId()).isEqualTo(oldest);
        assertThat(ring.headMemory()).isSameAs(memory);
        assertThat(ring.headOffset()).isEqualTo(oldest * 3);
        assertThat(ring.headLength()).isEqualTo(oldest * 5);
        ring.removeHead();
      }
      assertThat(ring.isEmpty()).isEqualTo(model.isEmpty());
    }
    assertThat(ring.capacity()).isEqualTo(capacity);
    while (!ring.isEmpty()) {
      ring.removeHead();
    }
    assertThat(memory.deregister().succeeded()).as("given up with the last Receive").isTrue();
  }
}
