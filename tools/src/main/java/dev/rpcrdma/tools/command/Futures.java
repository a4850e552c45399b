// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.command;

import io.vertx.core.Future;
import java.util.concurrent.ExecutionException;

/** Waits for futures from the command's thread. */
public final class Futures {

  private Futures() {}

  /**
   * Waits, as long as it takes.
   *
   * @param future to wait for
   * @param <T> its type
   * @return its result
   * @throws Exception what it failed with
   */
  public static <T> T await(Future<T> future) throws Exception {
    try {
      return future.toCompletionStage().toCompletableFuture().get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }
}
