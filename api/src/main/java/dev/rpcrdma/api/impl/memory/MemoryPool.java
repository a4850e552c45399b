package dev.rpcrdma.api.impl.memory;

import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.ProtectionDomain;
import dev.rpcrdma.verbs.VerbsException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Registered memory for chunks. Registration is slow on hardware, so blocks are kept: in size classes
 * of powers of two up to {@link #LARGEST_KEPT}, and no more than {@link #MAX_KEPT} bytes in all. Larger
 * ones are left to the garbage collector when they come back, since nobody can say that no view of them is
 * left. Thread-safe.
 *
 * <p><b>Nothing is allocated on an event loop</b>: where direct memory is short the JDK collects garbage for
 * half a second first, and clearing a gigabyte takes as long.
 *
 * <p><b>Who finds none waits</b>, in the order of asking, until others give blocks back, and no longer than
 * {@link #MAX_WAIT_MILLIS}; so many at a time, and no more.
 */
public final class MemoryPool {

  private static final int SMALLEST_SHIFT = 12;
  private static final int LARGEST_SHIFT = 22;
  private static final int LARGEST_KEPT = 1 << LARGEST_SHIFT;
  private static final long MAX_KEPT = 64L << 20;
  private static final int MAX_WAITERS = 1 << 16;
  /** Shorter than a call's time-out, so that its failure says what was missing. */
  private static final long MAX_WAIT_MILLIS = 10_000;

  private final Vertx vertx;
  private final ProtectionDomain domain;
  private final long maxBytes;
  private final long maxWaitMillis;
  /** Guarded by this: free blocks by size class. */
  private final List<ArrayDeque<LocalMemory>> free = new ArrayList<>();
  /** Guarded by this: who waits, in the order of asking. */
  private final Set<Waiter> waiters = new LinkedHashSet<>();
  /** Guarded by this. */
  private long keptBytes;
  /** Guarded by this. */
  private long usedBytes;
  /** Guarded by this. */
  private boolean closed;

  public MemoryPool(Vertx vertx, ProtectionDomain domain, long maxBytes) {
    this(vertx, domain, maxBytes, MAX_WAIT_MILLIS);
  }

  public MemoryPool(Vertx vertx, ProtectionDomain domain, long maxBytes, long maxWaitMillis) {
    this.vertx = vertx;
    this.domain = domain;
    this.maxBytes = maxBytes;
    this.maxWaitMillis = maxWaitMillis;
    for (int shift = SMALLEST_SHIFT; shift <= LARGEST_SHIFT; shift++) {
      free.add(new ArrayDeque<>());
    }
  }

  /** Somebody who waits for others' memory. */
  private final class Waiter {

    private final int size;
    private final Promise<LocalMemory> promise = Promise.promise();
    private final long timer = vertx.setTimer(maxWaitMillis, id -> timedOut());

    Waiter(int size) {
      this.size = size;
    }

    private void timedOut() {
      synchronized (MemoryPool.this) {
        if (!waiters.remove(this)) {
          return;
        }
      }
      promise.fail(none(size));
      // Those behind may want less.
      serveWaiters();
    }
  }

  Vertx vertx() {
    return vertx;
  }

  ProtectionDomain domain() {
    return domain;
  }

  /** Takes a block of at least that length, to be given back with {@link #release}. */
  public Future<LocalMemory> acquire(int length) {
    int size = blockSize(length);
    LocalMemory kept;
    synchronized (this) {
      if (closed) {
        return Future.failedFuture(closedPool());
      }
      if (size > maxBytes) {
        return Future.failedFuture(none(size));
      }
      if (!waiters.isEmpty() || !fits(size)) {
        return await(size);
      }
      kept = take(size);
    }
    return kept != null ? Future.succeededFuture(kept) : register(size);
  }

  private boolean fits(int size) {
    return usedBytes + size <= maxBytes;
  }

  /** Counts a block as used; guarded by this. Null if it is to be made. */
  private LocalMemory take(int size) {
    usedBytes += size;
    LocalMemory kept = size > LARGEST_KEPT ? null : free.get(sizeClass(size)).poll();
    if (kept != null) {
      keptBytes -= size;
    }
    return kept;
  }

  /** Guarded by this. */
  private Future<LocalMemory> await(int size) {
    if (waiters.size() >= MAX_WAITERS) {
      return Future.failedFuture(none(size));
    }
    Waiter waiter = new Waiter(size);
    waiters.add(waiter);
    return waiter.promise.future();
  }

  private VerbsException none(int size) {
    return new VerbsException(VerbsException.Kind.RESOURCES, "No memory for a chunk of " + size
        + " bytes: chunks in use have reached maxPoolBytes (" + maxBytes + ")");
  }

  private static VerbsException closedPool() {
    return new VerbsException(VerbsException.Kind.CLOSED, "The device is closed");
  }

  private Future<LocalMemory> register(int size) {
    return vertx.executeBlocking(() -> allocate(size), false)
        .compose(block -> domain.register(block, LocalMemory.Backing.MEMORY))
        .onFailure(e -> forget(size));
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
    boolean keep;
    synchronized (this) {
      usedBytes -= size;
      keep = !closed && size <= LARGEST_KEPT && keptBytes + size <= MAX_KEPT;
      if (keep) {
        keptBytes += size;
        free.get(sizeClass(size)).push(block);
      }
    }
    if (!keep) {
      block.deregister();
    }
    serveWaiters();
  }

  /** Gives what is there to those who wait, the first one first, however much it wants. */
  private void serveWaiters() {
    while (true) {
      Waiter next;
      LocalMemory kept;
      synchronized (this) {
        if (closed || waiters.isEmpty()) {
          return;
        }
        next = waiters.iterator().next();
        if (!fits(next.size)) {
          return;
        }
        waiters.remove(next);
        kept = take(next.size);
      }
      vertx.cancelTimer(next.timer);
      if (kept != null) {
        next.promise.complete(kept);
      } else {
        register(next.size).onComplete(next.promise);
      }
    }
  }

  private void forget(int size) {
    synchronized (this) {
      usedBytes -= size;
    }
    serveWaiters();
  }

  /** Bytes in use, for leak checks. */
  public synchronized long usedBytes() {
    return usedBytes;
  }

  /** Deregisters what is kept; blocks in use follow when they come back. */
  public Future<Void> close() {
    List<LocalMemory> blocks = new ArrayList<>();
    List<Waiter> waiting;
    synchronized (this) {
      closed = true;
      free.forEach(blocks::addAll);
      free.forEach(ArrayDeque::clear);
      keptBytes = 0;
      waiting = List.copyOf(waiters);
      waiters.clear();
    }
    for (Waiter waiter : waiting) {
      vertx.cancelTimer(waiter.timer);
      waiter.promise.fail(closedPool());
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
