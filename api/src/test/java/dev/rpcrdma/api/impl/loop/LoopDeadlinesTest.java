// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.protocol.time.Deadlines;
import dev.rpcrdma.testkit.Waiting;
import io.netty.channel.EventLoop;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LoopDeadlinesTest {

  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final Vertx vertx = Vertx.vertx();
  private final EventLoop loop = ((VertxInternal) vertx).createEventLoopContext().nettyEventLoop();
  private final BlockingQueue<String> expired = new LinkedBlockingQueue<>();

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  private Deadlines.Entry entry(String name, boolean throwing) {
    return new Deadlines.Entry() {
      @Override
      protected void expired(long now) {
        expired.add(name);
        if (throwing) {
          throw new IllegalStateException("on purpose");
        }
      }
    };
  }

  @Test
  @DisplayName("A loop has one heap, whoever asks for it; another loop has another one")
  void oneForEachLoop() {
    assertThat(LoopDeadlines.of(loop)).isSameAs(LoopDeadlines.of(loop));
    EventLoop other = ((VertxInternal) vertx).createEventLoopContext().nettyEventLoop();
    assertThat(other).isNotSameAs(loop);
    assertThat(LoopDeadlines.of(other)).isNotSameAs(LoopDeadlines.of(loop));
  }

  /** Fails if {@code LoopDeadlines.setTimer} does not move a timer that is set, or {@code fire} sets none. */
  @Test
  @DisplayName("What is due earlier than all before is not late, and what is due later is not forgotten")
  void order() {
    loop.execute(() -> {
      Deadlines deadlines = LoopDeadlines.of(loop);
      long now = System.nanoTime();
      deadlines.add(entry("years", false), now + 100_000_000 * SECOND);
      deadlines.add(entry("second", false), now + SECOND / 10);
      deadlines.add(entry("first", false), now + SECOND / 100);
    });
    assertThat(Waiting.next(expired)).isEqualTo("first");
    assertThat(Waiting.next(expired)).isEqualTo("second");
  }

  @Test
  @DisplayName("A machine that throws takes nobody else's deadline away")
  void throwing() {
    loop.execute(() -> {
      Deadlines deadlines = LoopDeadlines.of(loop);
      long now = System.nanoTime();
      deadlines.add(entry("throws", true), now - 2);
      deadlines.add(entry("other", false), now - 1);
      deadlines.add(entry("later", false), now + SECOND / 100);
    });
    assertThat(Waiting.next(expired)).isEqualTo("throws");
    assertThat(Waiting.next(expired)).isEqualTo("other");
    assertThat(Waiting.next(expired)).isEqualTo("later");
  }
}
