// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.measure;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;

/** Repeats an operation for a while; on one context. */
public final class Stopwatch {

  /**
   * What came of it.
   *
   * @param operations how many completed
   * @param nanos in what time
   * @param latencies of each, in nanoseconds
   */
  public record Lap(long operations, long nanos, Histogram latencies) {

    /**
     * Operations in a second.
     *
     * @return the rate
     */
    public double perSecond() {
      return operations * 1e9 / nanos;
    }

    /**
     * The median latency.
     *
     * @return microseconds
     */
    public double p50Micros() {
      return latencies.getValueAtPercentile(50) / 1000.0;
    }
  }

  private final Supplier<Future<?>> operation;
  private final long end;
  private final long start = System.nanoTime();
  private final Histogram latencies = new Histogram(TimeUnit.SECONDS.toNanos(60), 3);
  private final Promise<Lap> done = Promise.promise();
  private long operations;
  private int active;

  private Stopwatch(Supplier<Future<?>> operation, long nanos) {
    this.operation = operation;
    this.end = start + nanos;
  }

  /**
   * Seconds as the clock counts them.
   *
   * @param seconds a time
   * @return the same in nanoseconds
   */
  public static long nanos(double seconds) {
    return (long) (seconds * TimeUnit.SECONDS.toNanos(1));
  }

  /**
   * Keeps a number of operations going for a time.
   *
   * @param operation starts one
   * @param outstanding how many at a time
   * @param nanos for how long
   * @return the lap, or the first failure
   */
  public static Future<Lap> lap(Supplier<Future<?>> operation, int outstanding, long nanos) {
    Stopwatch stopwatch = new Stopwatch(operation, nanos);
    stopwatch.active = outstanding;
    for (int i = 0; i < outstanding; i++) {
      stopwatch.next(System.nanoTime());
    }
    return stopwatch.done.future();
  }

  /** Each operation begins when the one before it has ended: the clock is read once for both. */
  private void next(long begun) {
    operation.get().onComplete((result, failure) -> {
      long now = System.nanoTime();
      if (failure != null) {
        done.tryFail(failure);
      } else if (goesOn(begun, now)) {
        next(now);
      }
    });
  }

  /** Other systems may end their operations on any thread. */
  private synchronized boolean goesOn(long begun, long now) {
    operations++;
    latencies.recordValue(Math.min(now - begun, latencies.getHighestTrackableValue()));
    if (now >= end && --active == 0) {
      done.tryComplete(new Lap(operations, now - start, latencies));
    }
    return now < end;
  }
}
