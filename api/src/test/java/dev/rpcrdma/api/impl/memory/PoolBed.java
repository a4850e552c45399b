// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.memory;

import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.verbs.LocalMemory;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.IntStream;

/** Pools over a domain without a device; their blocks are on the heap. */
final class PoolBed implements AutoCloseable {

  static final int BLOCK = 4096;
  private static final long LONG_WAIT = 60_000;

  /** One event loop, so that timers of a test and of its pools fire in the order of their times. */
  final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
  final CountingDomain domain = new CountingDomain();

  /** Makes a pool that lends so many bytes, whatever direct memory there is. */
  MemoryPool pool(long bytes) {
    return pool(new PoolBound(bytes, Long.MAX_VALUE));
  }

  MemoryPool pool(PoolBound bound) {
    return new MemoryPool(vertx, domain, "test", bound, LONG_WAIT, ByteBuffer::allocate);
  }

  static List<LocalMemory> acquire(MemoryPool pool, int count, int length) {
    return IntStream.range(0, count).mapToObj(i -> Waiting.await(pool.acquire(length))).toList();
  }

  @Override
  public void close() {
    Waiting.await(vertx.close());
  }
}
