// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.replies;

import io.vertx.core.net.SocketAddress;
import io.vertx.core.spi.metrics.ClientMetrics;
import io.vertx.core.spi.metrics.PoolMetrics;
import io.vertx.core.spi.metrics.VertxMetrics;
import java.util.concurrent.atomic.LongAdder;

/** A backend that counts. What others do besides, such as reading the clock, is their own affair. */
final class CountingMetrics implements VertxMetrics {

  private static final Object TOKEN = new Object();

  @Override
  public ClientMetrics<?, ?, ?> createClientMetrics(SocketAddress remote, String type, String namespace) {
    LongAdder begun = new LongAdder();
    LongAdder ended = new LongAdder();
    return new ClientMetrics<Object, Object, Object>() {
      @Override
      public Object init() {
        begun.increment();
        return TOKEN;
      }

      @Override
      public void responseEnd(Object metric) {
        ended.increment();
      }

      @Override
      public void requestReset(Object metric) {
        ended.increment();
      }
    };
  }

  @Override
  public PoolMetrics<?, ?> createPoolMetrics(String type, String name, int maxSize) {
    LongAdder waiting = new LongAdder();
    LongAdder inUse = new LongAdder();
    return new PoolMetrics<Object, Object>() {
      @Override
      public Object enqueue() {
        waiting.increment();
        return TOKEN;
      }

      @Override
      public void dequeue(Object queued) {
        waiting.decrement();
      }

      @Override
      public Object begin() {
        inUse.increment();
        return TOKEN;
      }

      @Override
      public void end(Object used) {
        inUse.decrement();
      }
    };
  }
}
