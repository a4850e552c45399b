package dev.rpcrdma.bench.replies;

import io.vertx.core.net.SocketAddress;
import io.vertx.core.spi.metrics.ClientMetrics;
import io.vertx.core.spi.metrics.PoolMetrics;
import io.vertx.core.spi.metrics.VertxMetrics;
import java.util.concurrent.atomic.LongAdder;

/** A backend that does what backends do at least: counts, and takes the time. */
final class CountingMetrics implements VertxMetrics {

  private static final class Timer {

    private final LongAdder count = new LongAdder();
    private final LongAdder nanos = new LongAdder();

    void add(Object since) {
      count.increment();
      nanos.add(System.nanoTime() - (Long) since);
    }
  }

  @Override
  public ClientMetrics<?, ?, ?> createClientMetrics(SocketAddress remote, String type, String namespace) {
    Timer calls = new Timer();
    return new ClientMetrics<Object, Object, Object>() {
      @Override
      public Object init() {
        return System.nanoTime();
      }

      @Override
      public void responseEnd(Object metric) {
        calls.add(metric);
      }

      @Override
      public void requestReset(Object metric) {
        calls.add(metric);
      }
    };
  }

  @Override
  public PoolMetrics<?, ?> createPoolMetrics(String type, String name, int maxSize) {
    Timer waits = new Timer();
    Timer uses = new Timer();
    return new PoolMetrics<Object, Object>() {
      @Override
      public Object enqueue() {
        return System.nanoTime();
      }

      @Override
      public void dequeue(Object queued) {
        waits.add(queued);
      }

      @Override
      public Object begin() {
        return System.nanoTime();
      }

      @Override
      public void end(Object used) {
        uses.add(used);
      }
    };
  }
}
