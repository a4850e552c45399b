// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.VerbsException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Blocks that a pool cannot make. */
class FailedBlocksTest {

  private static final int LARGE = 5 << 20;
  private static final long LONG_WAIT = 60_000;

  private final PoolBed bed = new PoolBed();

  @AfterEach
  void close() {
    bed.close();
  }

  private MemoryPool pool(IntFunction<ByteBuffer> allocator) {
    return new MemoryPool(bed.vertx, bed.domain, "test", new PoolBound(1 << 30, Long.MAX_VALUE), LONG_WAIT, allocator);
  }

  /** Fails if {@code MemoryPool.forget} leaves a block counted that was never lent. */
  @Test
  @DisplayName("A block that the device refuses to register is not in use")
  void refused() {
    MemoryPool pool = bed.pool(PoolBed.BLOCK);
    bed.domain.refuse();
    assertThat(Waiting.awaitFailure(pool.acquire(PoolBed.BLOCK))).hasMessage("refused");
    assertThat(pool.usedBytes()).isZero();
  }

  /** Fails if {@code MemoryPool.forget} does not serve the callers that wait. */
  @Test
  @DisplayName("Where a block is refused, its room is for the caller that waits")
  void roomForWaiter() {
    MemoryPool pool = bed.pool(PoolBed.BLOCK);
    Promise<Void> gate = Promise.promise();
    bed.domain.gate(gate.future());
    Future<LocalMemory> first = pool.acquire(PoolBed.BLOCK);
    Future<LocalMemory> waits = pool.acquire(PoolBed.BLOCK);
    Waiting.until(() -> bed.domain.asked() == 1);
    bed.domain.gate(Future.succeededFuture());
    gate.fail("refused");
    assertThat(Waiting.awaitFailure(first)).hasMessage("refused");
    assertThat(Waiting.await(waits).length()).isEqualTo(PoolBed.BLOCK);
    assertThat(pool.usedBytes()).isEqualTo(PoolBed.BLOCK);
  }

  /** Fails if {@code MemoryPool.dropUnused} returns true without having given up a block. */
  @Test
  @DisplayName("Where there is no direct memory at all, a caller is told which option to raise")
  void noMemory() {
    MemoryPool pool = pool(size -> {
      throw new OutOfMemoryError();
    });
    assertThat(Waiting.awaitFailure(pool.acquire(PoolBed.BLOCK))).isInstanceOf(VerbsException.class)
        .hasMessage("No direct memory for a chunk of 4096 bytes; raise -XX:MaxDirectMemorySize");
    assertThat(pool.usedBytes()).isZero();
  }

  /** Fails if {@code MemoryPool.dropUnused} leaves blocks registered, which holds their memory. */
  @Test
  @DisplayName("Blocks that are given up for want of direct memory are deregistered, small ones and large ones")
  void deregistered() {
    AtomicBoolean scarce = new AtomicBoolean();
    MemoryPool pool = pool(size -> {
      if (scarce.getAndSet(false)) {
        throw new OutOfMemoryError();
      }
      return ByteBuffer.allocate(size);
    });
    List<LocalMemory> blocks = List.of(Waiting.await(pool.acquire(PoolBed.BLOCK)), Waiting.await(pool.acquire(LARGE)));
    blocks.forEach(pool::release);
    assertThat(bed.domain.registrations()).isEqualTo(2);
    scarce.set(true);
    Waiting.await(pool.acquire(2 * PoolBed.BLOCK));
    assertThat(bed.domain.registrations()).as("the new one").isEqualTo(1);
    assertThat(pool.idleBytes()).isZero();
  }
}
