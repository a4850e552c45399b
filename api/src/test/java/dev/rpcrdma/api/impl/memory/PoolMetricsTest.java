// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.verbs.LocalMemory;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.metrics.MetricsOptions;
import io.vertx.core.spi.metrics.PoolMetrics;
import io.vertx.core.spi.metrics.VertxMetrics;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Fails if {@code MemoryPool} leaves out any of what it tells its metrics. */
class PoolMetricsTest {

  private final List<String> told = new CopyOnWriteArrayList<>();
  private final Vertx vertx = Vertx.builder()
      .with(new VertxOptions().setMetricsOptions(new MetricsOptions().setEnabled(true)))
      .withMetrics(options -> new Recorded()).build();

  /** Backend that numbers the blocks it is told of. */
  private final class Recorded implements VertxMetrics, PoolMetrics<Integer, Integer> {

    private int used;

    @Override
    public PoolMetrics<?, ?> createPoolMetrics(String type, String name, int most) {
      return type.equals("rpcrdma-memory") ? this : null;
    }

    @Override
    public synchronized Integer begin() {
      used++;
      told.add("used " + used);
      return used;
    }

    @Override
    public void end(Integer token) {
      told.add("back " + token);
    }

    @Override
    public void close() {
      told.add("closed");
    }
  }

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  @Test
  @DisplayName("Metrics hear of each block when it is lent and when it is back, and of the pool's end")
  void told() {
    MemoryPool pool = new MemoryPools(vertx, new CountingDomain(), "test").of(1 << 20);
    LocalMemory first = Waiting.await(pool.acquire(1));
    LocalMemory second = Waiting.await(pool.acquire(1));
    pool.release(first);
    pool.release(second);
    pool.release(Waiting.await(pool.acquire(1)));
    Waiting.await(pool.close());
    assertThat(told).startsWith("used 1", "used 2", "back 1", "back 2", "used 3", "back 3", "closed");
  }
}
