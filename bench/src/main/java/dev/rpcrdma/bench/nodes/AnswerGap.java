// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.nodes;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Loops that do something over and over, also when it has failed, and tell how long one had to wait for success. */
final class AnswerGap {

  private static final long PAUSE_MILLIS = 5;

  private final Vertx vertx;
  private final Supplier<Future<?>> operation;
  private final AtomicLong longest = new AtomicLong();
  private final Future<?> ended;
  private volatile boolean stopped;

  AnswerGap(Vertx vertx, int loops, Supplier<Future<?>> operation) {
    this.vertx = vertx;
    this.operation = operation;
    this.ended = Future.join(Stream.generate(this::loop).limit(loops).toList());
  }

  private Future<Void> loop() {
    Promise<Void> promise = Promise.promise();
    vertx.runOnContext(turn -> again(System.nanoTime(), promise));
    return promise.future();
  }

  private void again(long last, Promise<Void> promise) {
    if (stopped) {
      promise.complete();
      return;
    }
    operation.get().onComplete((answer, failure) -> {
      long now = System.nanoTime();
      if (failure == null) {
        longest.accumulateAndGet(now - last, Math::max);
        again(now, promise);
      } else {
        vertx.setTimer(PAUSE_MILLIS, passed -> again(last, promise));
      }
    });
  }

  /** What was before does not count. */
  void reset() {
    longest.set(0);
  }

  /** Completes when all that was begun has ended, with the longest time between two successes, in milliseconds. */
  Future<Double> stop() {
    stopped = true;
    return ended.map(all -> longest.get() / (double) TimeUnit.MILLISECONDS.toNanos(1));
  }
}
