// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.VerbsException;
import io.vertx.core.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Callers that wait for memory, in a pool that lends one block. */
class PoolWaitersTest {

  private static final int MOST = 1 << 16;

  private final PoolBed bed = new PoolBed();
  private final MemoryPool pool = bed.pool(PoolBed.BLOCK);

  @AfterEach
  void close() {
    bed.close();
  }

  private static VerbsException.Kind kind(Throwable failure) {
    return ((VerbsException) failure).kind();
  }

  /** Fails if {@code MemoryPool.serveWaiters} takes a block out and does not lend it. */
  @Test
  @DisplayName("A block that comes back goes to the caller that waits")
  void sameBlock() {
    LocalMemory block = Waiting.await(pool.acquire(PoolBed.BLOCK));
    Future<LocalMemory> waits = pool.acquire(PoolBed.BLOCK);
    pool.release(block);
    assertThat(waits.result()).isSameAs(block);
    assertThat(pool.usedBytes()).isEqualTo(PoolBed.BLOCK);
    assertThat(bed.domain.registrations()).isEqualTo(1);
  }

  /** Fails if {@code MemoryPool.await} lets one caller more or less wait. */
  @Test
  @DisplayName("65,536 callers wait, and the next one fails at once")
  void most() {
    Waiting.await(pool.acquire(PoolBed.BLOCK));
    Future<LocalMemory> last = null;
    for (int i = 0; i < MOST; i++) {
      last = pool.acquire(PoolBed.BLOCK);
    }
    assertThat(last.isComplete()).isFalse();
    Future<LocalMemory> beyond = pool.acquire(PoolBed.BLOCK);
    assertThat(beyond.failed()).as("at once").isTrue();
    assertThat(kind(beyond.cause())).isEqualTo(VerbsException.Kind.RESOURCES);
    Waiting.await(pool.close());
    assertThat(kind(last.cause())).isEqualTo(VerbsException.Kind.CLOSED);
  }

  /** Fails if {@code MemoryPool.close} fails callers twice, or {@code acquire} lends from a closed pool. */
  @Test
  @DisplayName("A pool is closed twice without harm, and lends nothing any more")
  void closedTwice() {
    Waiting.await(pool.acquire(PoolBed.BLOCK));
    Future<LocalMemory> waits = pool.acquire(PoolBed.BLOCK);
    Waiting.await(pool.close());
    assertThat(kind(waits.cause())).isEqualTo(VerbsException.Kind.CLOSED);
    Waiting.await(pool.close());
    assertThat(kind(pool.acquire(1).cause())).isEqualTo(VerbsException.Kind.CLOSED);
  }
}
