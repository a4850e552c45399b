// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.cli;

import io.vertx.core.Future;
import java.util.concurrent.ExecutionException;

/** Waits for futures from the command's thread. */
final class Futures {

  private Futures() {}

  static <T> T await(Future<T> future) throws Exception {
    try {
      return future.toCompletionStage().toCompletableFuture().get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }
}
