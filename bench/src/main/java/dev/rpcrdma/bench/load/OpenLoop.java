// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.load;

import io.vertx.core.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;

/**
 * Calls that begin when it is their time, whether or not those before have ended. A latency counts from the time at
 * which the call should have begun: one that had to wait for a system that is late has waited for it (coordinated
 * omission is avoided).
 */
public final class OpenLoop {

  /** The generator sleeps at least so long between looks at the clock: each time costs some 10 µs of a processor. */
  private static final long PAUSE_NANOS = 100_000;

  private static final long DRAIN_NANOS = TimeUnit.SECONDS.toNanos(30);

  /**
   * What came of it.
   *
   * @param operations how many calls were made
   * @param latencies of each, in nanoseconds
   */
  public record Result(long operations, Histogram latencies) {

    /**
     * A quantile.
     *
     * @param percentile 0 to 100
     * @return microseconds
     */
    public double micros(double percentile) {
      return latencies.getValueAtPercentile(percentile) / 1000.0;
    }
  }

  private final Histogram latencies = new Histogram(TimeUnit.SECONDS.toNanos(60), 3);
  private Throwable failure;
  private long ended;

  private OpenLoop() {}

  /**
   * Makes calls at a rate, on the thread that asks for it, and waits for the last.
   *
   * @param operation starts one
   * @param perSecond the rate
   * @param seconds for how long
   * @return their latencies
   * @throws TimeoutException if some have not ended half a minute later
   */
  public static Result run(Supplier<Future<?>> operation, double perSecond, double seconds) throws TimeoutException {
    return new OpenLoop().calls(operation, 1e9 / perSecond, (long) (perSecond * seconds));
  }

  /**
   * Begins calls at their times, on the thread that asks for it; returns when the last has begun.
   *
   * @param interval nanoseconds between two of them
   * @param count how many
   * @param call begins one, given the time at which it should begin
   */
  public static void pace(double interval, long count, LongConsumer call) {
    long start = System.nanoTime();
    long begun = 0;
    while (begun < count) {
      long now = System.nanoTime();
      for (; begun < count && start + (long) (begun * interval) <= now; begun++) {
        call.accept(start + (long) (begun * interval));
      }
      long next = start + (long) (begun * interval);
      LockSupport.parkNanos(Math.max(PAUSE_NANOS, next - System.nanoTime()));
    }
  }

  private Result calls(Supplier<Future<?>> operation, double interval, long count) throws TimeoutException {
    pace(interval, count, due -> operation.get().onComplete((result, cause) -> ended(due, cause)));
    long end = System.nanoTime() + DRAIN_NANOS;
    while (ended() < count) {
      if (System.nanoTime() > end) {
        throw new TimeoutException("Of " + count + " calls " + ended() + " have ended");
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    return new Result(count, latencies);
  }

  private synchronized void ended(long due, Throwable cause) {
    ended++;
    failure = failure == null ? cause : failure;
    latencies.recordValue(Math.min(System.nanoTime() - due, latencies.getHighestTrackableValue()));
  }

  private synchronized long ended() {
    if (failure != null) {
      throw new IllegalStateException("A call has failed", failure);
    }
    return ended;
  }
}
