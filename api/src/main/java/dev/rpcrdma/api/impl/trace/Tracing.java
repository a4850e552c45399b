// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.trace;

import io.vertx.core.internal.logging.Logger;
import io.vertx.core.internal.logging.LoggerFactory;
import io.vertx.core.spi.tracing.VertxTracer;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.function.Function;

/** Asks a tracer, and never again one that has failed. */
final class Tracing {

  private static final Logger LOG = LoggerFactory.getLogger(Tracing.class);

  private static final Set<VertxTracer<?, ?>> BROKEN =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  private Tracing() {}

  /**
   * Asks.
   *
   * @param tracer whom
   * @param question what
   * @param <T> the type of the answer
   * @return the answer; null if there is none, or the tracer fails, or has failed before
   */
  static <T> T ask(VertxTracer<?, ?> tracer, Function<VertxTracer<Object, Object>, T> question) {
    if (BROKEN.contains(tracer)) {
      return null;
    }
    try {
      @SuppressWarnings("unchecked")
      VertxTracer<Object, Object> any = (VertxTracer<Object, Object>) tracer;
      return question.apply(any);
    } catch (Throwable e) {
      // Also an Error, as of a class that is not there: whoever watches calls must not change what becomes of them.
      if (BROKEN.add(tracer)) {
        LOG.warn("The tracer " + tracer.getClass().getName() + " has failed, and is asked no more; calls go on", e);
      }
      return null;
    }
  }
}
