// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.memory;

import dev.rpcrdma.api.impl.metrics.ServiceMetrics;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.ProtectionDomain;
import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.support.PageMemory;
import dev.rpcrdma.verbs.vertx.Contexts;
import dev.rpcrdma.verbs.vertx.VertxParts;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/**
 * Registered memory for chunks. Registration is slow on hardware, so blocks are kept: in size classes
 * of powers of two up to {@link #LARGEST_SIZE}, and no more than {@link #MAX_KEPT} bytes in all. Larger
 * ones are kept for {@link #IDLE_MILLIS} ({@link IdleBlocks}), and then left to the garbage collector, since nobody
 * can say that no view of them is left. Thread-safe.
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
  private static final int LARGEST_SIZE = 1 << LARGEST_SHIFT;
  private static final long MAX_KEPT = 64L << 20;
  private static final long MAX_IDLE = 512L << 20;
  private static final long IDLE_MILLIS = 2_000;
  private static final int MAX_WAITERS = 1 << 16;
  /** Shorter than a call's time-out, so that its failure says what was missing. */
  private static final long MAX_WAIT_MILLIS = 10_000;

  /** Make blocks, and have the timers: those of whoever asks, or gives back what another one waits for, may end. */
  private final Workers workers;
  private final EventLoop timers;
  private final ProtectionDomain domain;
  private final PoolBound bound;
  private final long maxWaitMillis;
  private final IntFunction<ByteBuffer> allocator;
  /** Null if nobody watches. */
  private final ServiceMetrics metrics;
  /** Guarded by this: what the backend knows blocks by. */
  private final Map<LocalMemory, Object> lent = new IdentityHashMap<>();
  /** Guarded by this: free blocks by size class. */
  private final List<ArrayDeque<LocalMemory>> free = new ArrayList<>();
  /** Guarded by this: larger than any class. */
  private final IdleBlocks idle;
  /** Guarded by this: whether it will be looked at what is idle. */
  private boolean idleTimer;
  /** Guarded by this: who waits, in the order of asking. */
  private final Set<Waiter> waiters = new LinkedHashSet<>();
  /** Guarded by this. */
  private long keptBytes;
  /** Guarded by this. */
  private long usedBytes;
  /** Guarded by this: how much of direct memory that takes. */
  private long takenBytes;
  /** Guarded by this. */
  private boolean closed;

  /**
   * Creates a pool without blocks.
   *
   * @param name what metrics call it
   * @param bound what it lends at once
   */
  MemoryPool(Vertx vertx, ProtectionDomain domain, String name, PoolBound bound) {
    this(vertx, domain, name, bound, MAX_WAIT_MILLIS, PageMemory::allocate);
  }

  MemoryPool(Vertx vertx, ProtectionDomain domain, String name, PoolBound bound, long maxWaitMillis,
      IntFunction<ByteBuffer> allocator) {
    this.metrics = ServiceMetrics.of(VertxParts.metrics(vertx), "rpcrdma-memory", name, -1);
    this.workers = new Workers(vertx);
    this.timers = Contexts.eventLoop(Contexts.newEventLoop(vertx));
    this.domain = domain;
    this.bound = bound;
    this.maxWaitMillis = maxWaitMillis;
    this.allocator = allocator;
    this.idle = new IdleBlocks(Math.min(MAX_IDLE, bound.bytes() / 2));
    for (int shift = SMALLEST_SHIFT; shift <= LARGEST_SHIFT; shift++) {
      free.add(new ArrayDeque<>());
    }
  }

  /** Somebody who waits for others' memory. */
  private final class Waiter {

    private final int size;
    private final Promise<LocalMemory> promise = Promise.promise();
    private final ScheduledFuture<?> timer = after(maxWaitMillis, this::timedOut);

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

  /** Outlast all verticles that use the pool. */
  Workers workers() {
    return workers;
  }

  ProtectionDomain domain() {
    return domain;
  }

  /** Takes a block of at least that length, to be given back with {@link #release}. */
  public Future<LocalMemory> acquire(int length) {
    Future<LocalMemory> block = find(length);
    return metrics == null ? block : block.onSuccess(this::lent);
  }

  private void lent(LocalMemory block) {
    Object token = metrics.begin();
    synchronized (this) {
      lent.put(block, token);
    }
  }

  private void back(LocalMemory block) {
    Object token;
    synchronized (this) {
      token = lent.remove(block);
    }
    metrics.end(token);
  }

  private Future<LocalMemory> find(int length) {
    int size = blockSize(length);
    LocalMemory kept;
    synchronized (this) {
      if (closed) {
        return Future.failedFuture(closedPool());
      }
      if (!bound.fits(size, 0, 0)) {
        return Future.failedFuture(never(size));
      }
      if (!waiters.isEmpty() || !fits(size)) {
        return await(size);
      }
      kept = take(size);
    }
    return kept != null ? Future.succeededFuture(kept) : register(size);
  }

  private boolean fits(int size) {
    return bound.fits(size, usedBytes, takenBytes);
  }

  /** Guarded by this. */
  private void use(int size) {
    usedBytes += size;
    takenBytes += PageMemory.taken(size);
  }

  /** Guarded by this. */
  private void unuse(int size) {
    usedBytes -= size;
    takenBytes -= PageMemory.taken(size);
  }

  /** Counts a block as used; guarded by this. Null if it is to be made. */
  private LocalMemory take(int size) {
    if (size > LARGEST_SIZE) {
      LocalMemory large = idle.take(size);
      use(large == null ? size : large.length());
      return large;
    }
    use(size);
    LocalMemory kept = free.get(sizeClass(size)).poll();
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

  private VerbsException never(int size) {
    return new VerbsException(VerbsException.Kind.RESOURCES, "There is never memory for a chunk of " + size
        + " bytes, which by itself is beyond " + bound.reached(size, 0, 0));
  }

  private synchronized VerbsException none(int size) {
    return new VerbsException(VerbsException.Kind.RESOURCES, "No memory for a chunk of " + size
        + " bytes: chunks in use, payloads that nobody has released among them, have reached "
        + bound.reached(size, usedBytes, takenBytes));
  }

  private static VerbsException closedPool() {
    return new VerbsException(VerbsException.Kind.CLOSED, "The device is closed");
  }

  private Future<LocalMemory> register(int size) {
    return workers.run(() -> allocate(size))
        .compose(block -> domain.register(block, LocalMemory.Backing.MEMORY))
        .onFailure(e -> forget(size));
  }

  private ByteBuffer allocate(int size) {
    try {
      return allocator.apply(size);
    } catch (OutOfMemoryError e) {
      if (dropUnused()) {
        // What nobody uses may be all that is missing.
        return allocate(size);
      }
      throw new VerbsException(VerbsException.Kind.RESOURCES,
          "No direct memory for a chunk of " + size + " bytes; raise -XX:MaxDirectMemorySize", e);
    }
  }

  /** Gives up all blocks that nobody uses; false if there are none. */
  private boolean dropUnused() {
    List<LocalMemory> dropped;
    synchronized (this) {
      dropped = takeUnused();
    }
    dropped.forEach(LocalMemory::deregister);
    return !dropped.isEmpty();
  }

  /** Guarded by this. */
  private List<LocalMemory> takeUnused() {
    List<LocalMemory> all = idle.takeAll();
    free.forEach(all::addAll);
    free.forEach(ArrayDeque::clear);
    keptBytes = 0;
    return all;
  }

  /** Gives up what nobody has used for a while. */
  private void dropOld() {
    List<LocalMemory> old;
    synchronized (this) {
      old = idle.takeBefore(System.nanoTime() - TimeUnit.MILLISECONDS.toNanos(IDLE_MILLIS));
      idleTimer = false;
      watchIdle();
    }
    old.forEach(LocalMemory::deregister);
  }

  private ScheduledFuture<?> after(long millis, Runnable action) {
    return timers.schedule(action, millis, TimeUnit.MILLISECONDS);
  }

  /** Guarded by this. */
  private void watchIdle() {
    if (!idleTimer && !idle.isEmpty()) {
      idleTimer = true;
      after(IDLE_MILLIS, this::dropOld);
    }
  }

  /** Gives a block back. */
  void release(LocalMemory block) {
    if (metrics != null) {
      back(block);
    }
    int size = block.length();
    boolean keep;
    synchronized (this) {
      unuse(size);
      if (size > LARGEST_SIZE) {
        keep = !closed && idle.keep(block, System.nanoTime());
        watchIdle();
      } else {
        keep = !closed && keptBytes + size <= MAX_KEPT;
        if (keep) {
          keptBytes += size;
          free.get(sizeClass(size)).push(block);
        }
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
      next.timer.cancel(false);
      if (kept != null) {
        next.promise.complete(kept);
      } else {
        register(next.size).onComplete(next.promise);
      }
    }
  }

  private void forget(int size) {
    synchronized (this) {
      unuse(size);
    }
    serveWaiters();
  }

  /** Bytes in use, for leak checks. */
  public synchronized long usedBytes() {
    return usedBytes;
  }

  /** Bytes of large blocks that nobody uses. */
  synchronized long idleBytes() {
    return idle.bytes();
  }

  /** Deregisters what is kept; blocks in use follow when they come back. */
  public Future<Void> close() {
    List<LocalMemory> blocks;
    List<Waiter> waiting;
    synchronized (this) {
      closed = true;
      blocks = takeUnused();
      waiting = List.copyOf(waiters);
      waiters.clear();
    }
    if (metrics != null) {
      metrics.close();
    }
    for (Waiter waiter : waiting) {
      waiter.timer.cancel(false);
      waiter.promise.fail(closedPool());
    }
    return Future.join(blocks.stream().map(LocalMemory::deregister).toList()).mapEmpty();
  }

  private static int blockSize(int length) {
    if (length > LARGEST_SIZE) {
      return length;
    }
    return Math.max(1 << SMALLEST_SHIFT, Integer.highestOneBit(2 * length - 1));
  }

  private static int sizeClass(int size) {
    return Integer.numberOfTrailingZeros(size) - SMALLEST_SHIFT;
  }
}
