package dev.rpcrdma.api;

import io.vertx.core.Future;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/** Waits with a deadline. */
final class Await {

  static final long SECONDS = 20;

  private Await() {}

  static <T> T success(Future<T> future) {
    try {
      return future.toCompletionStage().toCompletableFuture().get(SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new AssertionError("Failed: " + e.getCause(), e.getCause());
    } catch (InterruptedException | TimeoutException e) {
      throw new AssertionError("No outcome within " + SECONDS + " s", e);
    }
  }

  /** Waits for what somebody else adds. */
  static <T> T next(BlockingQueue<T> queue) {
    try {
      T added = queue.poll(SECONDS, TimeUnit.SECONDS);
      if (added == null) {
        throw new AssertionError("Nothing within " + SECONDS + " s");
      }
      return added;
    } catch (InterruptedException e) {
      throw new AssertionError("Interrupted", e);
    }
  }

  /** Waits until a latch is open. */
  static void opened(CountDownLatch latch) {
    try {
      if (!latch.await(SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError("Not within " + SECONDS + " s");
      }
    } catch (InterruptedException e) {
      throw new AssertionError("Interrupted", e);
    }
  }

  /** Waits until something holds that tells nobody when it does. */
  static void until(BooleanSupplier condition) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    try {
      while (!condition.getAsBoolean()) {
        if (System.nanoTime() - deadline > 0) {
          throw new AssertionError("Does not hold within " + SECONDS + " s");
        }
        TimeUnit.MILLISECONDS.sleep(1);
      }
    } catch (InterruptedException e) {
      throw new AssertionError("Interrupted", e);
    }
  }

  static Throwable failure(Future<?> future) {
    try {
      Object value =
          future.toCompletionStage().toCompletableFuture().get(SECONDS, TimeUnit.SECONDS);
      throw new AssertionError("Expected a failure, got " + value);
    } catch (ExecutionException e) {
      return e.getCause();
    } catch (InterruptedException | TimeoutException e) {
      throw new AssertionError("No outcome within " + SECONDS + " s", e);
    }
  }

  /** Waits for an outcome, of which a test cannot know which it will be; null if it is a result. */
  static Throwable outcome(Future<?> future) {
    return success(future.transform(result -> Future.succeededFuture(result))).cause();
  }
}
