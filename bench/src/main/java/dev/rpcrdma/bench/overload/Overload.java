// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.overload;

import dev.rpcrdma.bench.load.OpenLoop;
import io.vertx.core.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Calls at a rate, whatever becomes of them; and then one call after the other until one succeeds. */
public final class Overload {

  private static final long PAUSE_NANOS = 100_000;
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

  /**
   * Result of a run.
   *
   * @param goodput calls in a second that have succeeded while there were too many, in percent of what the service can
   * @param firstMillis from when all calls had their outcome until another one has succeeded
   */
  public record Result(double goodput, double firstMillis) {}

  private final Supplier<Future<?>> work;
  private final AtomicInteger ended = new AtomicInteger();
  private final AtomicInteger succeeded = new AtomicInteger();

  private Overload(Supplier<Future<?>> work) {
    this.work = work;
  }

  /**
   * Makes them, on the thread that asks for it.
   *
   * @param work makes a call
   * @param factor how many times as many as the service can do
   * @param seconds for how long
   * @return what came of it
   * @throws TimeoutException if calls have no outcome, or none succeeds, for a minute
   */
  static Result run(Supplier<Future<?>> work, double factor, double seconds) throws TimeoutException {
    return new Overload(work).run(factor * Work.CAPACITY, seconds);
  }

  private Result run(double perSecond, double seconds) throws TimeoutException {
    long start = System.nanoTime();
    long count = (long) (perSecond * seconds);
    OpenLoop.pace(1e9 / perSecond, count, due -> work.get().onComplete(outcome -> {
      succeeded.addAndGet(outcome.succeeded() ? 1 : 0);
      ended.incrementAndGet();
    }));
    int good = succeeded.get();
    double goodput = 100 * good / ((System.nanoTime() - start) / 1e9) / Work.CAPACITY;
    long patience = System.nanoTime() + PATIENCE_NANOS;
    while (ended.get() < count) {
      checkTime(patience);
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    long over = System.nanoTime();
    while (!succeeds(patience)) {
      checkTime(patience);
    }
    return new Result(goodput, (System.nanoTime() - over) / 1e6);
  }

  private boolean succeeds(long patience) throws TimeoutException {
    Future<?> call = work.get();
    while (!call.isComplete()) {
      checkTime(patience);
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    return call.succeeded();
  }

  private void checkTime(long patience) throws TimeoutException {
    if (System.nanoTime() > patience) {
      throw new TimeoutException(ended + " calls have ended, " + succeeded + " with success, and nothing happens");
    }
  }
}
