// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.metrics;

import io.vertx.core.internal.logging.Logger;
import io.vertx.core.internal.logging.LoggerFactory;
import io.vertx.core.spi.metrics.VertxMetrics;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Whether a backend of Vert.x's metrics is still to be told of anything. One that throws, or holds a thread up, is told
 * of nothing more: the calls that it watches go on.
 */
final class Backend {

  private static final Logger LOG = LoggerFactory.getLogger(Backend.class);
  /** One of so many of its answers is timed: one that is slow is slow most of the time. */
  static final int TIMED = 8;
  /** No event loop may be held up as long. */
  private static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  /** Guarded by itself; weak, so that a backend can go with its Vert.x. */
  private static final Map<VertxMetrics, Backend> ALL = new WeakHashMap<>();

  private final String name;
  private volatile boolean on = true;

  private Backend(String name) {
    this.name = name;
  }

  /** The same for all that is watched by the same one: it is off for all of it. */
  static Backend of(VertxMetrics metrics) {
    synchronized (ALL) {
      return ALL.computeIfAbsent(metrics, made -> new Backend(made.getClass().getName()));
    }
  }

  boolean isOn() {
    return on;
  }

  /** It has thrown; also an Error, as of a class that is not there. */
  void failed(Throwable cause) {
    off("has failed", cause);
  }

  /** Tells it of something, unless it is off. */
  void tell(Runnable event) {
    if (on) {
      try {
        event.run();
      } catch (Throwable e) {
        failed(e);
      }
    }
  }

  /**
   * It is about to be told of something.
   *
   * @return goes to {@link #endTiming}
   */
  static long beginTiming(Sampling timed) {
    return timed.next() ? System.nanoTime() : 0;
  }

  /** It has been told. */
  void endTiming(long began) {
    if (began == 0) {
      return;
    }
    long nanos = System.nanoTime() - began;
    if (nanos > LONGEST_NANOS) {
      off("has held a thread up for " + TimeUnit.NANOSECONDS.toMillis(nanos) + " ms", null);
    }
  }

  private synchronized void off(String why, Throwable cause) {
    if (on) {
      on = false;
      LOG.warn("The metrics backend " + name + " " + why + ", and is told of no more calls; these go on", cause);
    }
  }
}
