// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.vertx;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.concurrent.RejectedExecutionException;

/**
 * A promise to a context whose threads may end before all others do, such as those of a worker pool that belongs to a
 * verticle. Nobody hears its outcome then, and whoever completes it goes on.
 */
final class LastingPromise<T> implements Promise<T> {

  private final Promise<T> promise;

  LastingPromise(Promise<T> promise) {
    this.promise = promise;
  }

  @Override
  public boolean tryComplete(T result) {
    try {
      return promise.tryComplete(result);
    } catch (RejectedExecutionException e) {
      // It is complete: only its listeners cannot be called.
      return true;
    }
  }

  @Override
  public boolean tryFail(Throwable cause) {
    try {
      return promise.tryFail(cause);
    } catch (RejectedExecutionException e) {
      return true;
    }
  }

  @Override
  public Future<T> future() {
    return promise.future();
  }
}
