// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.Payload;
import dev.rpcrdma.protocol.fabric.Region;
import dev.rpcrdma.protocol.fabric.RegionListener;
import dev.rpcrdma.protocol.xdr.DataItem;
import dev.rpcrdma.testkit.Waiting;
import io.netty.channel.EventLoop;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.VertxInternal;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Regions that a connection gets, of a pool and of payloads. */
class RegionsTest {

  private final PoolBed bed = new PoolBed();
  private final EventLoop loop = ((VertxInternal) bed.vertx).createEventLoopContext().nettyEventLoop();
  private final MemoryPool pool = bed.pool(1 << 30);
  private final ConnectionMemory memory = new ConnectionMemory(loop, bed.domain, pool, null);
  private final BlockingQueue<Region> regions = new LinkedBlockingQueue<>();
  private final BlockingQueue<String> reasons = new LinkedBlockingQueue<>();

  private final RegionListener listener = new RegionListener() {
    @Override
    public void ready(Region region) {
      regions.add(region);
    }

    @Override
    public void failed(String reason) {
      reasons.add(reason);
    }
  };

  @AfterEach
  void close() {
    bed.close();
  }

  private static DataItem text(String text) {
    return DataItem.of(text.getBytes());
  }

  private static String text(Region region) {
    byte[] bytes = new byte[region.length()];
    region.bytes().get(bytes);
    return new String(bytes);
  }

  /** Fails if {@code ConnectionMemory.regionOf} gives no region for an item on the heap. */
  @Test
  @DisplayName("An item on the heap is copied into a block of the pool")
  void heapItem() {
    memory.regionOf(text("abc"), listener);
    Region region = Waiting.next(regions);
    assertThat(text(region)).isEqualTo("abc");
    assertThat(region.pooled()).isTrue();
    assertThat(((RegisteredRange) region).memoryOffset()).isZero();
    assertThat(pool.usedBytes()).isEqualTo(PoolBed.BLOCK);
    region.free();
    assertThat(pool.usedBytes()).isZero();
  }

  /** Fails if {@code PoolRegion.toItem} gives the block back before the item's last owner does. */
  @Test
  @DisplayName("An item that was a region gives its block back with its last owner")
  void itemOfPool() {
    memory.regionOf(text("abcdef"), listener);
    DataItem item = Waiting.next(regions).toItem(3);
    assertThat(new String(item.toByteArray())).isEqualTo("abc");
    DataItem part = item.part(1, 2).orElseThrow();
    item.release();
    assertThat(pool.usedBytes()).isEqualTo(PoolBed.BLOCK);
    part.release();
    assertThat(pool.usedBytes()).isZero();
  }

  /** Fails if {@code PayloadRegion} is anywhere else than the payload. */
  @Test
  @DisplayName("A payload's region is the payload itself, at its place in what is registered")
  void payload() {
    Payload whole = Payload.copyOf(bed.vertx, Buffer.buffer("abcdef"));
    Payload slice = whole.slice(2, 3);
    memory.regionOf(slice, listener);
    Region region = Waiting.next(regions);
    slice.release();
    whole.release();
    assertThat(text(region)).isEqualTo("cde");
    assertThat(region.pooled()).isFalse();
    assertThat(((RegisteredRange) region).memoryOffset()).isEqualTo(2);
    assertThat(((RegisteredRange) region).memory().length()).isEqualTo(6);
    region.free();
    assertThat(whole.tryRetain()).isFalse();
    assertThat(bed.domain.registrations()).isZero();
  }

  /** Fails if {@code PayloadRegion.toItem} keeps one owner too many, or none. */
  @Test
  @DisplayName("An item of a payload's region has the region's owner")
  void itemOfPayload() {
    Payload payload = Payload.copyOf(bed.vertx, Buffer.buffer("abcdef"));
    memory.regionOf(payload, listener);
    payload.release();
    DataItem item = Waiting.next(regions).toItem(3);
    assertThat(new String(item.toByteArray())).isEqualTo("abc");
    item.release();
    assertThat(payload.tryRetain()).isFalse();
  }

  /** Fails if {@code ConnectionMemory.regionOf} keeps an owner of a payload that it could not register. */
  @Test
  @DisplayName("A payload that cannot be registered is the caller's again")
  void refused() {
    bed.domain.refuse();
    Payload payload = Payload.allocate(bed.vertx, 1);
    memory.regionOf(payload, listener);
    assertThat(Waiting.next(reasons)).isEqualTo("refused");
    payload.release();
    assertThat(payload.tryRetain()).isFalse();
    assertThat(regions).isEmpty();
  }

  /** Fails if {@code ConnectionMemory.allocateFilled} does not pass on that there is no memory. */
  @Test
  @DisplayName("Without memory there is a reason instead of a region, and nothing is copied")
  void noMemory() {
    Waiting.await(pool.close());
    memory.allocateFilled(1, target -> reasons.add("copied"), listener);
    assertThat(reasons).containsExactly("The device is closed");
    assertThat(regions).isEmpty();
  }
}
