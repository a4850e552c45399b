// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.metrics;

import io.vertx.core.spi.metrics.PoolMetrics;
import io.vertx.core.spi.metrics.VertxMetrics;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * What the backend of Vert.x's metrics hears of something that is used and given back, and of who waits for it: calls
 * in their services, blocks of registered memory, replies. From any thread.
 */
public final class ServiceMetrics {

  /** Given back for what the backend was not told of. */
  private static final Object UNTOLD = new Object();

  private final Backend backend;
  private final PoolMetrics<Object, Object> pool;

  private ServiceMetrics(Backend backend, PoolMetrics<Object, Object> pool) {
    this.backend = backend;
    this.pool = pool;
  }

  /**
   * Asks for them.
   *
   * @param metrics of Vert.x; null if it has none
   * @param type such as rpcrdma-memory
   * @param name whose
   * @param most how many can be in use; -1 if nobody knows
   * @return null if the backend has none, or cannot make any
   */
  @SuppressWarnings("unchecked") // a backend gets back what it has made
  public static ServiceMetrics of(VertxMetrics metrics, String type, String name, int most) {
    if (metrics == null) {
      return null;
    }
    Backend backend = Backend.of(metrics);
    try {
      PoolMetrics<?, ?> pool = metrics.createPoolMetrics(type, name, most);
      return pool == null ? null : new ServiceMetrics(backend, (PoolMetrics<Object, Object>) pool);
    } catch (Throwable e) {
      backend.failed(e);
      return null;
    }
  }

  /** Something is in use; what this returns goes to {@link #end}. */
  public Object begin() {
    return ask(PoolMetrics::begin);
  }

  /** It is not in use any more. */
  public void end(Object token) {
    tell(PoolMetrics::end, token);
  }

  /** Somebody waits; what this returns goes to {@link #dequeue}. */
  public Object enqueue() {
    return ask(PoolMetrics::enqueue);
  }

  /** He waits no longer. */
  public void dequeue(Object token) {
    tell(PoolMetrics::dequeue, token);
  }

  private Object ask(Function<PoolMetrics<Object, Object>, Object> question) {
    if (!backend.isOn()) {
      return UNTOLD;
    }
    Object token = UNTOLD;
    try {
      token = question.apply(pool);
    } catch (Throwable e) {
      backend.failed(e);
    }
    return token;
  }

  private void tell(BiConsumer<PoolMetrics<Object, Object>, Object> event, Object token) {
    if (token == UNTOLD || !backend.isOn()) {
      return;
    }
    try {
      event.accept(pool, token);
    } catch (Throwable e) {
      backend.failed(e);
    }
  }

  public void close() {
    backend.tell(pool::close);
  }
}
