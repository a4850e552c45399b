// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Loops that make one call after the other, until they are stopped or a call fails. */
final class CallLoops {

  private final Supplier<Future<?>> call;
  private final AtomicBoolean stopped = new AtomicBoolean();
  private final Future<?> ended;

  CallLoops(int loops, Supplier<Future<?>> call) {
    this.call = call;
    this.ended = Future.all(Stream.generate(this::loop).limit(loops).toList());
  }

  private Future<Void> loop() {
    Promise<Void> promise = Promise.promise();
    again(promise);
    return promise.future();
  }

  /** No chain of futures: it would be as long as the run. */
  private void again(Promise<Void> promise) {
    if (stopped.get()) {
      promise.complete();
    } else {
      call.get().onFailure(promise::fail).onSuccess(answer -> again(promise));
    }
  }

  /** Fails when a call has failed. */
  Future<?> ended() {
    return ended;
  }

  /** Makes no more calls; completes when those that were made have ended. */
  Future<?> stop() {
    stopped.set(true);
    return ended;
  }
}
