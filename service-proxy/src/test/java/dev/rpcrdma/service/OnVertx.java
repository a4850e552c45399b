// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** Runs calls on a context, as applications do, and waits for them on the test's thread. */
final class OnVertx {

  private final Vertx vertx = Vertx.vertx();

  Vertx vertx() {
    return vertx;
  }

  /** The outcome of a call: its result, or what it failed with. */
  <T> T await(Supplier<Future<T>> call) throws Throwable {
    CompletableFuture<T> outcome = new CompletableFuture<>();
    vertx.runOnContext(nothing -> {
      try {
        call.get().onComplete(outcome::complete, outcome::completeExceptionally);
      } catch (RuntimeException e) {
        outcome.completeExceptionally(
            new AssertionError("must fail its future rather than throw", e));
      }
    });
    try {
      return outcome.get(10, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw e.getCause();
    }
  }

  void close() throws ExecutionException, InterruptedException, TimeoutException {
    vertx.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
  }
}
