package dev.rpcrdma.api.impl;

import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.ProtectionDomain;
import dev.rpcrdma.verbs.VerbsException;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * Registered memory for chunks. Registration is slow on hardware, so blocks are kept: in size classes
 * of powers of two up to {@link #LARGEST_KEPT}, and no more than {@link #MAX_KEPT} bytes in all. Larger
 * ones are made on a worker: clearing a gigabyte takes longer than an event loop can wait. Thread-safe.
 */
final class MemoryPool {

  private static final int SMALLEST_SHIFT = 12;
  private static final int LARGEST_SHIFT = 22;
  private static final int LARGEST_KEPT = 1 << LARGEST_SHIFT;
  private static final long MAX_KEPT = 64L << 20;

  private final Vertx vertx;
  private final ProtectionDomain domain;
  private final long maxBytes;
  /** Guarded by this: free blocks by size class. */
  private final List<ArrayDeque<LocalMemory>> free = new ArrayList<>();
  /** Guarded by this. */
  private long keptBytes;
  /** Guarded by this. */
  private long usedBytes;
  /** Guarded by this. */
  private boolean closed;

  MemoryPool(Vertx vertx, ProtectionDomain domain, long maxBytes) {
    this.vertx = vertx;
    this.domain = domain;
    this.maxBytes = maxBytes;
    for (int shift = SMALLEST_SHIFT; shift <= LARGEST_SHIFT; shift++) {
      free.add(new ArrayDeque<>());
    }
  }

  ProtectionDomain domain() {
    return domain;
  }

  /** Takes a block of at least that length, to be given back with {@link #release}. */
  Future<LocalMemory> acquire(int length) {
    int size = blockSize(length);
    synchronized (this) {
      if (closed) {
        return Future.failedFuture(new VerbsException(VerbsException.Kind.CLOSED,
            "The device is closed"));
      }
      if (usedBytes + size > maxBytes) {
        return Future.failedFuture(new VerbsException(VerbsException.Kind.RESOURCES,
            "Chunks in use have reached maxPoolBytes (" + maxBytes + ")"));
      }
      usedBytes += size;
      LocalMemory kept = size > LARGEST_KEPT ? null : free.get(sizeClass(size)).poll();
      if (kept != null) {
        keptBytes -= size;
        return Future.succeededFuture(kept);
      }
    }
    return register(size).onFailure(e -> forget(size));
  }

  private Future<LocalMemory> register(int size) {
    if (size > LARGEST_KEPT) {
      return vertx.executeBlocking(() -> allocate(size), false).compose(this::register);
    }
    try {
      return register(allocate(size));
    } catch (VerbsException e) {
      return Future.failedFuture(e);
    }
  }

  private Future<LocalMemory> register(ByteBuffer block) {
    return domain.register(block, LocalMemory.Backing.MEMORY);
  }

  private static ByteBuffer allocate(int size) {
    try {
      return ByteBuffer.allocateDirect(size);
    } catch (OutOfMemoryError e) {
      throw new VerbsException(VerbsException.Kind.RESOURCES,
          "No direct memory for a chunk of " + size + " bytes; raise -XX:MaxDirectMemorySize", e);
    }
  }

  /** Gives a block back. */
  void release(LocalMemory block) {
    int size = block.length();
    synchronized (this) {
      usedBytes -= size;
      if (!closed && size <= LARGEST_KEPT && keptBytes + size <= MAX_KEPT) {
        keptBytes += size;
        free.get(sizeClass(size)).push(block);
        return;
      }
    }
    block.deregister();
  }

  private synchronized void forget(int size) {
    usedBytes -= size;
  }

  /** Bytes in use, for leak checks. */
  synchronized long usedBytes() {
    return usedBytes;
  }

  /** Deregisters what is kept; blocks in use follow when they come back. */
  Future<Void> close() {
    List<LocalMemory> blocks = new ArrayList<>();
    synchronized (this) {
      closed = true;
      free.forEach(blocks::addAll);
      free.forEach(ArrayDeque::clear);
      keptBytes = 0;
    }
    return Future.join(blocks.stream().map(LocalMemory::deregister).toList()).mapEmpty();
  }

  private static int blockSize(int length) {
    if (length > LARGEST_KEPT) {
      return length;
    }
    return Math.max(1 << SMALLEST_SHIFT, Integer.highestOneBit(2 * length - 1));
  }

  private static int sizeClass(int size) {
    return Integer.numberOfTrailingZeros(size) - SMALLEST_SHIFT;
  }
}
