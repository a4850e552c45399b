// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.memory;

import dev.rpcrdma.verbs.ProtectionDomain;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The memory pools of a device, by their bound: who sets another bound has another pool. Thread-safe. */
public final class MemoryPools {

  private final Vertx vertx;
  private final ProtectionDomain domain;
  private final String name;
  /** Guarded by itself. */
  private final Map<Long, MemoryPool> pools = new HashMap<>();

  /**
   * Creates none yet.
   *
   * @param name what metrics call them
   */
  public MemoryPools(Vertx vertx, ProtectionDomain domain, String name) {
    this.vertx = vertx;
    this.domain = domain;
    this.name = name;
  }

  /** The pool that lends so many bytes at once and no more. */
  public MemoryPool of(long maxBytes) {
    synchronized (pools) {
      return pools.computeIfAbsent(maxBytes, bytes -> new MemoryPool(vertx, domain, name, PoolBound.of(bytes)));
    }
  }

  private List<MemoryPool> all() {
    synchronized (pools) {
      return List.copyOf(pools.values());
    }
  }

  /** Bytes in use, for leak checks. */
  public long usedBytes() {
    return all().stream().mapToLong(MemoryPool::usedBytes).sum();
  }

  /** See {@link MemoryPool#close}. */
  public Future<Void> close() {
    return Future.join(all().stream().map(MemoryPool::close).toList()).mapEmpty();
  }
}
