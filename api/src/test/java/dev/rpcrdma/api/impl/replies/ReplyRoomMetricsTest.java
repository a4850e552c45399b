// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.replies;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.impl.metrics.ServiceMetrics;
import io.vertx.core.spi.metrics.PoolMetrics;
import io.vertx.core.spi.metrics.VertxMetrics;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Fails if {@code ReplyRoom} leaves out any of what it tells its metrics. */
class ReplyRoomMetricsTest {

  private static final int MAX = 100;
  private static final long SOON = 5;

  private final List<String> told = new ArrayList<>();

  /** Backend that numbers what it hears of. */
  private final class Recorded implements VertxMetrics, PoolMetrics<Integer, Integer> {

    private int waiting;
    private int used;

    @Override
    public PoolMetrics<?, ?> createPoolMetrics(String type, String name, int most) {
      return this;
    }

    @Override
    public Integer enqueue() {
      waiting++;
      told.add("waits " + waiting);
      return waiting;
    }

    @Override
    public void dequeue(Integer queued) {
      told.add("waited " + queued);
    }

    @Override
    public Integer begin() {
      used++;
      told.add("used " + used);
      return used;
    }

    @Override
    public void end(Integer token) {
      told.add("left " + token);
    }

    @Override
    public void close() {
      told.add("closed");
    }
  }

  /** Call that wants all the room there is. */
  private static final class Call implements ReplyRoom.Waiting {

    private ReplyRoom.Share share;

    @Override
    public int bytes() {
      return MAX;
    }

    @Override
    public long deadline() {
      return SOON;
    }

    @Override
    public void admitted(ReplyRoom.Share given) {
      share = given;
    }
  }

  private final ArrayDeque<Runnable> looks = new ArrayDeque<>();
  private final ReplyRoom.Line line = new ReplyRoom.Line();
  private final ReplyRoom.Line other = new ReplyRoom.Line();
  private long now;
  private final ReplyRoom room = new ReplyRoom(MAX, () -> now, looks::add, crowded -> { },
      ServiceMetrics.of(new Recorded(), "rpcrdma-replies", "test", MAX));

  private void assertTold(String... events) {
    assertThat(told).containsExactly(events);
    told.clear();
  }

  @Test
  @DisplayName("Metrics hear of each call that waits, of each that has room, and when it leaves")
  void events() {
    ReplyRoom.Share first = room.enter(line, MAX, Long.MAX_VALUE);
    assertTold("used 1");
    Call next = new Call();
    room.await(line, next);
    Call withdrawn = new Call();
    room.await(other, withdrawn);
    assertTold("waits 1", "waits 2");
    room.withdraw(other, withdrawn);
    room.withdraw(other, withdrawn);
    assertTold("waited 2");
    first.run();
    first.run();
    assertTold("left 1", "waited 1", "used 2");
    now = SOON;
    looks.poll().run();
    assertTold("left 2");
    next.share.run();
    assertTold();
    room.take(line, MAX).run();
    assertTold("used 3", "left 3");
    room.close();
    assertTold("closed");
  }
}
