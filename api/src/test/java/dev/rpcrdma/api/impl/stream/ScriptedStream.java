// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.stream;

import io.vertx.core.Context;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.streams.ReadStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;

/** Gives what it was told to, on a context of its own, and no more than it was asked for. Then it ends, or fails. */
public final class ScriptedStream implements ReadStream<Buffer> {

  private final Context context;
  private final Throwable failure;
  private final boolean endless;
  /** Guarded by this, as all below. */
  private final Deque<Buffer> buffers;
  private long demand = Long.MAX_VALUE;
  private boolean over;
  private Handler<Buffer> handler;
  private Handler<Void> endHandler;
  private Handler<Throwable> exceptionHandler;

  private ScriptedStream(Vertx vertx, List<Buffer> buffers, Throwable failure, boolean endless) {
    // Made from a test's thread, so it is none of the flow's.
    this.context = vertx.getOrCreateContext();
    this.buffers = new ArrayDeque<>(buffers);
    this.failure = failure;
    this.endless = endless;
  }

  /** Ends behind its buffers. */
  public static ScriptedStream of(Vertx vertx, List<Buffer> buffers) {
    return new ScriptedStream(vertx, buffers, null, false);
  }

  /** Fails behind its buffers. */
  public static ScriptedStream failing(Vertx vertx, List<Buffer> buffers, Throwable failure) {
    return new ScriptedStream(vertx, buffers, failure, false);
  }

  /** Does not end behind its buffers. */
  public static ScriptedStream stalling(Vertx vertx, List<Buffer> buffers) {
    return new ScriptedStream(vertx, buffers, null, true);
  }

  /** Buffers of some lengths, with bytes that tell their places. */
  public static List<Buffer> buffers(int... lengths) {
    Random random = new Random(lengths.length);
    List<Buffer> buffers = new ArrayList<>();
    for (int length : lengths) {
      byte[] bytes = new byte[length];
      random.nextBytes(bytes);
      buffers.add(Buffer.buffer(bytes));
    }
    return buffers;
  }

  /** The bytes of all of them, in their order. */
  public static Buffer joined(List<Buffer> buffers) {
    Buffer all = Buffer.buffer();
    buffers.forEach(all::appendBuffer);
    return all;
  }

  synchronized int left() {
    return buffers.size();
  }

  synchronized boolean abandoned() {
    return handler == null && endHandler == null && exceptionHandler == null && demand == 0;
  }

  @Override
  public synchronized ReadStream<Buffer> fetch(long amount) {
    demand += amount;
    context.runOnContext(turn -> give());
    return this;
  }

  private void give() {
    Runnable event;
    synchronized (this) {
      Handler<Buffer> to = handler;
      Handler<Void> end = endHandler;
      Handler<Throwable> fail = exceptionHandler;
      if (over || demand == 0 || to == null) {
        return;
      }
      Buffer next = buffers.poll();
      if (next != null) {
        demand--;
        event = () -> to.handle(next);
      } else if (endless) {
        return;
      } else {
        over = true;
        event = failure == null ? () -> end.handle(null) : () -> fail.handle(failure);
      }
    }
    event.run();
    give();
  }

  @Override
  public synchronized ReadStream<Buffer> exceptionHandler(Handler<Throwable> to) {
    exceptionHandler = to;
    return this;
  }

  @Override
  public synchronized ReadStream<Buffer> handler(Handler<Buffer> to) {
    handler = to;
    return this;
  }

  @Override
  public synchronized ReadStream<Buffer> endHandler(Handler<Void> to) {
    endHandler = to;
    return this;
  }

  @Override
  public synchronized ReadStream<Buffer> pause() {
    demand = 0;
    return this;
  }

  @Override
  public ReadStream<Buffer> resume() {
    return fetch(Long.MAX_VALUE);
  }
}
