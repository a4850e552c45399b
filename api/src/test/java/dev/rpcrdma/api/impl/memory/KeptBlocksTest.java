// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.support.PageMemory;
import io.vertx.core.Future;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Blocks that a pool keeps for the next callers. */
class KeptBlocksTest {

  /** Length of the largest class; larger blocks are idle for a moment. */
  private static final int LARGEST = 4 << 20;
  private static final int LARGE = 5 << 20;
  /** Number of the largest blocks that are kept. */
  private static final int MOST = 16;

  private final PoolBed bed = new PoolBed();

  @AfterEach
  void close() {
    bed.close();
  }

  /** Fails if {@code MemoryPool.take} or {@code release} takes the largest class for a large block. */
  @Test
  @DisplayName("A block of the largest class is kept as long as the pool, and had at once")
  void largestClass() {
    MemoryPool pool = bed.pool(1 << 30);
    LocalMemory block = Waiting.await(pool.acquire(LARGEST));
    pool.release(block);
    assertThat(pool.idleBytes()).isZero();
    assertThat(pool.acquire(LARGEST).result()).isSameAs(block);
  }

  /** Fails if {@code MemoryPool.take} or {@code release} counts kept bytes wrongly. */
  @Test
  @DisplayName("Blocks are kept up to 64 MiB, again and again, and those beyond are given up")
  void upToTheBound() {
    MemoryPool pool = bed.pool(1 << 30);
    for (int round = 0; round < 2; round++) {
      List<LocalMemory> blocks = PoolBed.acquire(pool, MOST + 1, LARGEST);
      blocks.subList(0, MOST).forEach(pool::release);
      assertThat(bed.domain.registrations()).as("all are kept").isEqualTo(MOST + 1);
      pool.release(blocks.get(MOST));
      assertThat(bed.domain.registrations()).isEqualTo(MOST);
    }
    Waiting.await(pool.close());
    assertThat(bed.domain.registrations()).isZero();
  }

  /** Fails if {@code MemoryPool} keeps more idle bytes than half of its bound, or gives up a kept block. */
  @Test
  @DisplayName("Large blocks are kept up to half of what the pool lends, and those beyond are given up")
  void largeUpToHalf() {
    MemoryPool pool = bed.pool(16 << 20);
    List<LocalMemory> blocks = PoolBed.acquire(pool, 2, LARGE);
    pool.release(blocks.get(0));
    assertThat(bed.domain.registrations()).isEqualTo(2);
    pool.release(blocks.get(1));
    assertThat(bed.domain.registrations()).isEqualTo(1);
    assertThat(pool.idleBytes()).isEqualTo(LARGE);
    assertThat(pool.acquire(LARGE).result()).isSameAs(blocks.get(0));
  }

  /** Fails if {@code MemoryPool.release} keeps a block after {@code close}. */
  @Test
  @DisplayName("A closed pool keeps no block that comes back")
  void afterClose() {
    MemoryPool pool = bed.pool(1 << 30);
    List<LocalMemory> blocks = List.of(Waiting.await(pool.acquire(PoolBed.BLOCK)), Waiting.await(pool.acquire(LARGE)));
    Waiting.await(pool.close());
    assertThat(bed.domain.registrations()).isEqualTo(2);
    blocks.forEach(pool::release);
    assertThat(bed.domain.registrations()).isZero();
    assertThat(pool.idleBytes()).isZero();
    assertThat(pool.usedBytes()).isZero();
  }

  /** Fails if {@code MemoryPool.dropOld} drops a block before its time, or leaves it registered. */
  @Test
  @Tag("slow")
  @DisplayName("A large block is given up two seconds after it came back, and not with one that came back before it")
  void dropped() {
    MemoryPool pool = bed.pool(1 << 30);
    List<LocalMemory> blocks = List.of(Waiting.await(pool.acquire(LARGE)), Waiting.await(pool.acquire(2 * LARGE)));
    Future<Long> left = Future.future(promise ->
        bed.domain.whenDeregistered(() -> promise.tryComplete(pool.idleBytes())));
    pool.release(blocks.get(0));
    // Fires on the loop that drops idle blocks, before the first one is 2 s old.
    bed.vertx.setTimer(1_500, fired -> pool.release(blocks.get(1)));
    assertThat(Waiting.await(left)).isEqualTo(2 * LARGE);
    assertThat(bed.domain.registrations()).isEqualTo(1);
  }

  /** Fails if {@code MemoryPool.use} or {@code unuse} does not count what blocks take of direct memory. */
  @Test
  @DisplayName("Direct memory that blocks take is counted when they are lent, and when they come back")
  void directMemory() {
    MemoryPool pool = bed.pool(new PoolBound(1 << 20, 2 * PageMemory.taken(PoolBed.BLOCK)));
    for (int round = 0; round < 3; round++) {
      List<LocalMemory> blocks = PoolBed.acquire(pool, 2, PoolBed.BLOCK);
      Future<LocalMemory> waits = pool.acquire(PoolBed.BLOCK);
      assertThat(pool.usedBytes()).isEqualTo(2 * PoolBed.BLOCK);
      blocks.forEach(pool::release);
      pool.release(Waiting.await(waits));
      Future<LocalMemory> next = pool.acquire(PoolBed.BLOCK);
      assertThat(next.succeeded()).as("at once").isTrue();
      pool.release(next.result());
    }
  }
}
