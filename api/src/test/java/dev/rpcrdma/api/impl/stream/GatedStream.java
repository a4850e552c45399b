// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.stream;

import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.streams.WriteStream;
import java.util.ArrayDeque;
import java.util.Deque;

/** Takes two buffers, and is full until the test has written one; sees who writes all the same. */
final class GatedStream implements WriteStream<Buffer> {

  private static final int MAX = 2;

  /** Guarded by this, as all below. */
  private final Deque<Promise<Void>> unwritten = new ArrayDeque<>();
  private final Buffer taken = Buffer.buffer();
  private Handler<Void> drainHandler;
  private int writesWhileFull;
  private int largest;

  synchronized int unwritten() {
    return unwritten.size();
  }

  synchronized int writesWhileFull() {
    return writesWhileFull;
  }

  synchronized int largest() {
    return largest;
  }

  synchronized Buffer taken() {
    return taken.copy();
  }

  /** Writes the oldest buffer, from the test's thread. */
  void writeOne() {
    Promise<Void> oldest;
    Handler<Void> drained;
    synchronized (this) {
      oldest = unwritten.remove();
      drained = drainHandler;
      drainHandler = null;
    }
    oldest.complete();
    if (drained != null) {
      drained.handle(null);
    }
  }

  void failOne(Throwable failure) {
    Promise<Void> oldest;
    synchronized (this) {
      oldest = unwritten.remove();
    }
    oldest.fail(failure);
  }

  @Override
  public synchronized Future<Void> write(Buffer data) {
    writesWhileFull += writeQueueFull() ? 1 : 0;
    largest = Math.max(largest, data.length());
    taken.appendBuffer(data);
    Promise<Void> written = Promise.promise();
    unwritten.add(written);
    return written.future();
  }

  @Override
  public synchronized boolean writeQueueFull() {
    return unwritten.size() >= MAX;
  }

  @Override
  public synchronized WriteStream<Buffer> drainHandler(Handler<Void> handler) {
    drainHandler = handler;
    return this;
  }

  @Override
  public WriteStream<Buffer> exceptionHandler(Handler<Throwable> handler) {
    return this;
  }

  @Override
  public Future<Void> end() {
    throw new AssertionError("Nobody shall end it");
  }

  @Override
  public WriteStream<Buffer> setWriteQueueMaxSize(int maxSize) {
    return this;
  }
}
