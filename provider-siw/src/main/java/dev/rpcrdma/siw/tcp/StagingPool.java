package dev.rpcrdma.siw.tcp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.concurrent.FastThreadLocal;
import java.util.ArrayDeque;

/** Staging buffers of one event loop: a few are kept, the rest goes back to the allocator. */
final class StagingPool {

  /** Twice the longest FPDU and a bit, so that what is incomplete leaves room for as much again. */
  static final int BYTES = 192 * 1024;

  private static final int KEPT = 4;

  private static final FastThreadLocal<StagingPool> POOLS = new FastThreadLocal<>() {
    @Override
    protected StagingPool initialValue() {
      return new StagingPool();
    }

    @Override
    protected void onRemoval(StagingPool pool) {
      pool.kept.forEach(ByteBuf::release);
    }
  };

  private final ArrayDeque<ByteBuf> kept = new ArrayDeque<>();

  private StagingPool() {}

  /** The pool of the current thread, which is an event loop. */
  static StagingPool current() {
    return POOLS.get();
  }

  /** Lends an empty buffer; to be given to {@link #giveBack} or released. */
  ByteBuf lend() {
    ByteBuf buffer = kept.pollLast();
    return buffer != null ? buffer : PooledByteBufAllocator.DEFAULT.directBuffer(BYTES, BYTES);
  }

  /** Takes a buffer back to which nobody else refers. */
  void giveBack(ByteBuf buffer) {
    if (kept.size() < KEPT) {
      kept.addLast(buffer.clear());
    } else {
      buffer.release();
    }
  }
}
