// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.work;

import io.vertx.core.AsyncResult;
import io.vertx.core.Handler;
import java.util.concurrent.Callable;

/** Runs work of one owner on a worker. */
@FunctionalInterface
public interface Jobs {

  /**
   * Runs work. On the owner's loop.
   *
   * @param work what may wait; a failure is a {@code VerbsException}
   * @param done gets the outcome on the owner's loop, in a later turn
   * @param <T> what the work gives
   */
  <T> void run(Callable<T> work, Handler<AsyncResult<T>> done);
}
