// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.metrics;

import io.vertx.core.internal.logging.Logger;
import io.vertx.core.internal.logging.LoggerFactory;
import io.vertx.core.spi.metrics.VertxMetrics;
import java.util.Map;
import java.util.WeakHashMap;

/**
 * Whether a backend of Vert.x's metrics is still to be told of anything. One that throws is told of nothing more: the
 * calls that it watches go on.
 */
final class Backend {

  private static final Logger LOG = LoggerFactory.getLogger(Backend.class);

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
    off(cause);
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

  private synchronized void off(Throwable cause) {
    if (on) {
      on = false;
      LOG.warn("The metrics backend " + name + " has failed, and is told of no more calls; these go on", cause);
    }
  }
}
