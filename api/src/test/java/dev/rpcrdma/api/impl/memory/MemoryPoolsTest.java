// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.verbs.LocalMemory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class MemoryPoolsTest {

  private final PoolBed bed = new PoolBed();

  @AfterEach
  void close() {
    bed.close();
  }

  /** Fails if {@code MemoryPools.usedBytes} leaves out a pool, by which checks would miss what it lends. */
  @Test
  @DisplayName("There is one pool for each bound, and bytes in use are those of all pools")
  void allPools() {
    MemoryPools pools = new MemoryPools(bed.vertx, bed.domain, "test");
    MemoryPool small = pools.of(1 << 20);
    MemoryPool large = pools.of(1 << 21);
    assertThat(large).isNotSameAs(small);
    assertThat(pools.of(1 << 20)).isSameAs(small);
    LocalMemory first = Waiting.await(small.acquire(PoolBed.BLOCK));
    LocalMemory second = Waiting.await(large.acquire(2 * PoolBed.BLOCK));
    assertThat(pools.usedBytes()).isEqualTo(3 * PoolBed.BLOCK);
    small.release(first);
    large.release(second);
    assertThat(pools.usedBytes()).isZero();
    Waiting.await(pools.close());
    assertThat(bed.domain.registrations()).isZero();
  }
}
