// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.stream;

import dev.rpcrdma.api.Payload;
import dev.rpcrdma.api.PayloadWriter;
import dev.rpcrdma.verbs.vertx.Contexts;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.streams.WriteStream;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;

/** See {@link PayloadWriter}. Confined to one context. */
public final class PayloadWriterImpl implements PayloadWriter {

  /** What is copied at a time; as much as the queue of a file holds by default, twice. */
  private static final int PIECE = 64 << 10;

  private final Context context;
  private final WriteStream<Buffer> target;
  /** What is not copied completely. */
  private final Deque<Entry> queue = new ArrayDeque<>();
  private Throwable failure;

  /** One payload. */
  private final class Entry {

    private final Payload payload;
    private final Promise<Void> promise = Contexts.promise(context);
    private int position;
    /** Pieces that the stream has taken and not written. */
    private int unwritten;
    private boolean over;

    Entry(Payload payload) {
      this.payload = payload;
    }

    boolean copied() {
      return position == payload.length();
    }

    void endIfDone() {
      if (!over && (failure != null || copied() && unwritten == 0)) {
        over = true;
        payload.tryRelease();
        if (failure == null) {
          promise.complete();
        } else {
          promise.fail(failure);
        }
      }
    }
  }

  /**
   * Creates a writer.
   *
   * @param vertx has the context
   * @param target where to write
   */
  public PayloadWriterImpl(Vertx vertx, WriteStream<Buffer> target) {
    this.context = vertx.getOrCreateContext();
    this.target = Objects.requireNonNull(target, "target");
  }

  @Override
  public Future<Void> write(Payload payload) {
    if (!payload.tryRetain()) {
      return Contexts.failedFuture(context, new IllegalStateException("The payload was released"));
    }
    Entry entry = new Entry(payload);
    later(() -> queue.add(entry));
    return entry.promise.future();
  }

  private void later(Runnable step) {
    try {
      context.runOnContext(turn -> take(step));
    } catch (RejectedExecutionException e) {
      // The context's threads have ended: what waits is given back, and so is what comes from now on.
      synchronized (this) {
        fail(e);
        take(step);
      }
    }
  }

  private void take(Runnable step) {
    step.run();
    try {
      copy();
    } catch (Throwable e) {
      // Such as an InternalError: a mapped file has shrunk.
      fail(e);
    }
    if (failure != null) {
      queue.forEach(Entry::endIfDone);
      queue.clear();
    }
  }

  private void copy() {
    while (failure == null && !queue.isEmpty() && !target.writeQueueFull()) {
      Entry first = queue.peek();
      copyPiece(first);
      if (first.copied()) {
        queue.remove();
        first.endIfDone();
      }
    }
    if (failure == null && !queue.isEmpty()) {
      target.drainHandler(drained -> later(() -> {}));
      if (!target.writeQueueFull()) {
        // It was drained by another thread before it knew whom to tell.
        later(() -> {});
      }
    }
  }

  private void copyPiece(Entry entry) {
    int length = Math.min(PIECE, entry.payload.length() - entry.position);
    if (length == 0) {
      return;
    }
    byte[] piece = new byte[length];
    ByteBuffer bytes = entry.payload.bytes();
    bytes.position(entry.position);
    bytes.get(piece);
    entry.position += length;
    entry.unwritten++;
    target.write(Buffer.buffer(piece)).onComplete(written -> later(() -> {
      entry.unwritten--;
      if (written.failed()) {
        fail(written.cause());
      }
      entry.endIfDone();
    }));
  }

  private void fail(Throwable cause) {
    if (failure == null) {
      failure = cause;
    }
  }
}
