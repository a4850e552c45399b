// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/** Waiting from a test's thread, never longer than a deadline. */
public final class Waiting {

  /** How long a test waits for something that must happen. */
  public static final Duration DEADLINE = Duration.ofSeconds(20);

  private Waiting() {}

  /**
   * Waits for a future's success.
   *
   * @param future to wait for
   * @param <T> its type
   * @return its result; what it failed with is thrown
   */
  public static <T> T await(Future<T> future) {
    try {
      return future.toCompletionStage().toCompletableFuture()
          .get(DEADLINE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException) {
        throw (RuntimeException) e.getCause();
      }
      throw new CompletionException(e.getCause());
    } catch (TimeoutException e) {
      throw new AssertionError("Nothing within " + DEADLINE, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("Interrupted", e);
    }
  }

  /**
   * Waits for a latch.
   *
   * @param latch to wait for
   */
  public static void await(CountDownLatch latch) {
    try {
      if (!latch.await(DEADLINE.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new AssertionError("Nothing within " + DEADLINE);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("Interrupted", e);
    }
  }

  /**
   * Waits for a future's failure.
   *
   * @param future to wait for
   * @return what it failed with
   */
  public static Throwable awaitFailure(Future<?> future) {
    return await(future.transform(
        (result, failure) -> failure == null
            ? Future.failedFuture(new AssertionError("Succeeded with " + result))
            : Future.succeededFuture(failure)));
  }

  /**
   * Waits for an outcome, of which a test cannot know which it will be.
   *
   * @param future to wait for
   * @return what it failed with; null if it has succeeded
   */
  public static Throwable outcome(Future<?> future) {
    return await(future.transform(result -> Future.succeededFuture(result))).cause();
  }

  /**
   * Waits for what somebody else adds.
   *
   * @param queue it is added to this
   * @param <T> its type
   * @return the first element, taken out
   */
  public static <T> T next(BlockingQueue<T> queue) {
    try {
      T added = queue.poll(DEADLINE.toMillis(), TimeUnit.MILLISECONDS);
      if (added == null) {
        throw new AssertionError("Nothing within " + DEADLINE);
      }
      return added;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("Interrupted", e);
    }
  }

  /**
   * Waits until something holds that tells nobody when it does.
   *
   * @param condition what is to hold; it is asked every millisecond
   */
  public static void until(BooleanSupplier condition) {
    until(DEADLINE, condition);
  }

  /**
   * Waits until something holds that tells nobody when it does.
   *
   * @param within how long at most; more than the usual for other processes, which may have to start first
   * @param condition what is to hold; it is asked every millisecond
   */
  public static void until(Duration within, BooleanSupplier condition) {
    long deadline = System.nanoTime() + within.toNanos();
    try {
      while (!condition.getAsBoolean()) {
        if (System.nanoTime() - deadline > 0) {
          throw new AssertionError("Does not hold within " + within);
        }
        TimeUnit.MILLISECONDS.sleep(1);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("Interrupted", e);
    }
  }
}
