// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.measure;

import io.vertx.core.Future;
import java.util.concurrent.TimeUnit;

/** Waits outside of event loops, never for ever. */
public final class Waits {

  private Waits() {}

  /**
   * Waits for a result.
   *
   * @param future what to wait for, five minutes at most
   * @param <T> its type
   * @return the result; a failure is thrown
   */
  public static <T> T await(Future<T> future) {
    return future.toCompletionStage().toCompletableFuture().orTimeout(5, TimeUnit.MINUTES).join();
  }

  /**
   * Lets time go by.
   *
   * @param seconds how much
   */
  public static void sleep(double seconds) {
    try {
      Thread.sleep((long) (seconds * 1000));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted", e);
    }
  }
}
