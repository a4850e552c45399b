// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.memory;

import dev.rpcrdma.verbs.vertx.VertxParts;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;

/**
 * The workers of a Vert.x instance, for what several verticles wait for: those of a verticle end with it. What they
 * have done is told on their own threads: by way of an event loop it would wait for whatever else that has to do.
 */
final class Workers {

  private final ExecutorService executor;

  Workers(Vertx vertx) {
    executor = VertxParts.workers(vertx);
  }

  /** What a task returns, or fails with; no context hears of it. */
  <T> Future<T> run(Callable<T> task) {
    Promise<T> promise = Promise.promise();
    try {
      executor.execute(() -> call(task, promise));
    } catch (RejectedExecutionException e) {
      promise.fail(e);
    }
    return promise.future();
  }

  private static <T> void call(Callable<T> task, Promise<T> promise) {
    T result;
    try {
      result = task.call();
    } catch (Throwable e) {
      promise.fail(e);
      return;
    }
    promise.complete(result);
  }
}
