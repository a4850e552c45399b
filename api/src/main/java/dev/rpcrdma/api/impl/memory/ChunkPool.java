// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.memory;

import dev.rpcrdma.api.Payload;
import dev.rpcrdma.verbs.VerbsException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Payloads of one length over so many chunks of memory at most, each of which is used again when the last owner of
 * its payload has let go. Chunks stay registered until the pool is closed. Thread-safe.
 */
public final class ChunkPool {

  private final Vertx vertx;
  private final int length;
  private final int maxChunks;
  /** Guarded by this: chunks that nobody uses. */
  private final Deque<PayloadMemory> free = new ArrayDeque<>();
  /** Guarded by this: who found none, in the order of asking. */
  private final Deque<Promise<Payload>> waiters = new ArrayDeque<>();
  /** Guarded by this: chunks that were made. */
  private int made;
  /** Guarded by this. */
  private boolean closed;

  /**
   * Creates a pool without any memory.
   *
   * @param vertx allocates on its workers
   * @param length of each payload, in bytes
   * @param maxChunks how many payloads there are at a time
   */
  public ChunkPool(Vertx vertx, int length, int maxChunks) {
    this.vertx = vertx;
    this.length = length;
    this.maxChunks = maxChunks;
  }

  /**
   * Takes a payload, which the caller releases.
   *
   * @return completes when there is memory for it, with whatever bytes were in it before; fails with a
   *     {@link VerbsException}
   */
  public Future<Payload> take() {
    PayloadMemory chunk;
    synchronized (this) {
      if (closed) {
        return Future.failedFuture(closedPool());
      }
      chunk = free.poll();
      if (chunk == null && made == maxChunks) {
        Promise<Payload> waiter = Promise.promise();
        waiters.add(waiter);
        return waiter.future();
      }
      made += chunk == null ? 1 : 0;
    }
    return chunk != null ? Future.succeededFuture(use(chunk)) : make();
  }

  /** On a worker: direct memory that is short has the JDK collect garbage first. */
  private Future<Payload> make() {
    return vertx.executeBlocking(() -> {
      try {
        return use(new PayloadMemory(ByteBuffer.allocateDirect(length)));
      } catch (OutOfMemoryError e) {
        throw new VerbsException(VerbsException.Kind.RESOURCES,
            "No direct memory for a chunk of " + length + " bytes; raise -XX:MaxDirectMemorySize", e);
      }
    }, false);
  }

  private Payload use(PayloadMemory chunk) {
    return new PayloadImpl(PayloadMemory.use(chunk, () -> giveBack(chunk)), 0, length);
  }

  private void giveBack(PayloadMemory chunk) {
    Promise<Payload> waiter;
    boolean over;
    synchronized (this) {
      over = closed;
      waiter = waiters.poll();
      if (!over && waiter == null) {
        free.push(chunk);
      }
    }
    if (over) {
      chunk.tryRelease();
    } else if (waiter != null) {
      waiter.complete(use(chunk));
    }
  }

  /** Bytes of all chunks that were made, for checks. */
  public synchronized long bytes() {
    return (long) made * length;
  }

  /** Gives all memory up; that of payloads which are in use follows when they are released. */
  public void close() {
    Deque<PayloadMemory> chunks;
    Deque<Promise<Payload>> waiting;
    synchronized (this) {
      closed = true;
      chunks = new ArrayDeque<>(free);
      free.clear();
      waiting = new ArrayDeque<>(waiters);
      waiters.clear();
    }
    chunks.forEach(PayloadMemory::tryRelease);
    waiting.forEach(waiter -> waiter.fail(closedPool()));
  }

  private static VerbsException closedPool() {
    return new VerbsException(VerbsException.Kind.CLOSED, "The stream has ended");
  }
}
