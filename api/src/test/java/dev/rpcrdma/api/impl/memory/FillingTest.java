// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.protocol.fabric.MessageBuffer;
import dev.rpcrdma.protocol.fabric.Region;
import dev.rpcrdma.protocol.fabric.RegionListener;
import dev.rpcrdma.testkit.Waiting;
import io.netty.channel.EventLoop;
import io.vertx.core.internal.VertxInternal;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Regions that a connection fills on its event loop, or on a worker. */
class FillingTest {

  /** Length up to which the event loop itself copies. */
  private static final int LOOP_COPY = 1 << 20;

  private final PoolBed bed = new PoolBed();
  private final EventLoop loop = ((VertxInternal) bed.vertx).createEventLoopContext().nettyEventLoop();
  private final MemoryPool pool = bed.pool(1 << 30);
  private final ConnectionMemory memory = new ConnectionMemory(loop, bed.domain, pool,
      Waiting.await(new SendPools(bed.vertx, bed.domain).of(loop, 100)));
  private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
  private final BlockingQueue<Region> regions = new LinkedBlockingQueue<>();

  private String where() {
    return loop.inEventLoop() ? "on the loop" : "elsewhere";
  }

  private final RegionListener listener = new RegionListener() {
    @Override
    public void ready(Region region) {
      events.add("ready " + where());
      regions.add(region);
    }

    @Override
    public void failed(String reason) {
      events.add(reason + " " + where() + " with " + pool.usedBytes() + " bytes in use");
    }
  };

  @AfterEach
  void close() {
    bed.close();
  }

  /** Fills a region from the loop, with a block that the pool has at once. */
  private void fill(int length, Consumer<ByteBuffer> source) {
    pool.release(Waiting.await(pool.acquire(length)));
    loop.execute(() -> {
      memory.allocateFilled(length, source, listener);
      events.add("returned");
    });
  }

  private void copy(ByteBuffer target) {
    events.add("copied " + where());
    target.put(target.limit() - 1, (byte) 7);
  }

  private void checkRegion(int length) {
    Region region = Waiting.next(regions);
    assertThat(region.bytes().get(length - 1)).isEqualTo((byte) 7);
    region.free();
    assertThat(pool.usedBytes()).isZero();
  }

  private void refuse(ByteBuffer target) {
    throw new IllegalStateException("released");
  }

  /** Fails if {@code ConnectionMemory.allocateFilled} copies a short item on a worker. */
  @Test
  @DisplayName("Up to a mebibyte is copied on the event loop, at once")
  void onLoop() {
    fill(LOOP_COPY, this::copy);
    assertThat(Waiting.next(events)).isEqualTo("copied on the loop");
    assertThat(Waiting.next(events)).isEqualTo("ready on the loop");
    assertThat(Waiting.next(events)).isEqualTo("returned");
    checkRegion(LOOP_COPY);
  }

  /** Fails if {@code ConnectionMemory.fillElsewhere} does not report the outcome on the loop. */
  @Test
  @DisplayName("More than a mebibyte is copied on a worker, and ready on the event loop")
  void elsewhere() {
    fill(LOOP_COPY + 1, this::copy);
    List<String> first = new ArrayList<>(List.of(Waiting.next(events), Waiting.next(events)));
    assertThat(first).containsExactlyInAnyOrder("returned", "copied elsewhere");
    assertThat(Waiting.next(events)).isEqualTo("ready on the loop");
    checkRegion(LOOP_COPY + 1);
  }

  /** Fails if {@code ConnectionMemory.fill} keeps the block of a released item, or reports no failure. */
  @Test
  @DisplayName("What cannot be copied on the event loop gives its block back, and fails once")
  void failsOnLoop() {
    fill(LOOP_COPY, this::refuse);
    assertThat(Waiting.next(events)).isEqualTo("released on the loop with 0 bytes in use");
    assertThat(Waiting.next(events)).isEqualTo("returned");
    assertThat(regions).isEmpty();
  }

  /** Fails if {@code ConnectionMemory.fillElsewhere} keeps the block of a released item. */
  @Test
  @DisplayName("What cannot be copied on a worker gives its block back, and fails on the event loop")
  void failsElsewhere() {
    fill(LOOP_COPY + 1, this::refuse);
    assertThat(Waiting.next(events)).isEqualTo("returned");
    assertThat(Waiting.next(events)).isEqualTo("released on the loop with 0 bytes in use");
    assertThat(regions).isEmpty();
  }

  /** Fails if {@code ConnectionMemory} reports other send buffers than its pool has. */
  @Test
  @DisplayName("A connection without a send buffer is told when there is one again")
  void sendBuffers() {
    bed.domain.refuse();
    loop.execute(() -> {
      List<MessageBuffer> taken = new ArrayList<>();
      while (memory.hasSendBuffer() && taken.size() < SendPool.SLAB) {
        taken.add(memory.takeSendBuffer());
      }
      events.add(taken.size() + " taken, more: " + memory.hasSendBuffer());
      memory.awaitSendBuffer(() -> events.add("more: " + memory.hasSendBuffer()));
      taken.get(0).free();
    });
    assertThat(Waiting.next(events)).isEqualTo("32 taken, more: false");
    assertThat(Waiting.next(events)).isEqualTo("more: true");
  }
}
