// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.transport;

import io.netty.util.concurrent.FastThreadLocal;
import java.util.ArrayDeque;

/** Staging buffers of one event loop: a few are kept, the rest goes back to the allocator. */
final class StagingPool {

  private static final int KEPT = 4;

  private static final FastThreadLocal<StagingPool> POOLS = new FastThreadLocal<>() {
    @Override
    protected StagingPool initialValue() {
      return new StagingPool();
    }

    @Override
    protected void onRemoval(StagingPool pool) {
      pool.kept.forEach(Staging::release);
    }
  };

  private final ArrayDeque<Staging> kept = new ArrayDeque<>();

  private StagingPool() {}

  /** The pool of the current thread, which is an event loop. */
  static StagingPool current() {
    return POOLS.get();
  }

  /** Lends an empty buffer, to be given to {@link #giveBack}. */
  Staging lend() {
    Staging staging = kept.pollLast();
    return staging != null ? staging : new Staging();
  }

  /** Takes a buffer back to which nobody else refers. */
  void giveBack(Staging staging) {
    if (kept.size() < KEPT) {
      staging.memory().clear();
      staging.all().clear();
      kept.addLast(staging);
    } else {
      staging.release();
    }
  }
}
