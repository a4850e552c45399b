// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.protocol.time.Deadlines;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.verbs.vertx.Contexts;
import io.netty.channel.EventLoop;
import io.vertx.core.Vertx;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An event loop that is stopped for a while, as by the suspension of a machine. */
@Tag("slow")
class StoppedLoopTest {

  private final Vertx vertx = Vertx.vertx();
  private final EventLoop loop = Contexts.eventLoop(Contexts.newEventLoop(vertx));
  private final BlockingQueue<String> order = new LinkedBlockingQueue<>();

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  /** Something that needs a later turn of the loop, as what is read from a socket. */
  private void later(Runnable task) {
    loop.schedule(task, 20, TimeUnit.MILLISECONDS);
  }

  private static void stop() {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1100));
  }

  private void deadline() {
    LoopDeadlines.of(loop).add(new Deadlines.Entry() {
      @Override
      protected void expired(long now) {
        order.add("deadline");
      }
    }, System.nanoTime());
  }

  /** Fails if {@code LoopDeadlines.fire} does not ask whether it is late. */
  @Test
  @DisplayName("What comes within a tenth of a second behind the stop counts before deadlines that are over")
  void once() {
    loop.execute(() -> {
      deadline();
      stop();
      later(() -> order.add("answer"));
    });
    assertThat(Waiting.next(order)).isEqualTo("answer");
    assertThat(Waiting.next(order)).isEqualTo("deadline");
  }

  /** Fails if {@code LoopDeadlines.fire} waits once more when it is late again. */
  @Test
  @DisplayName("A loop that is stopped again and again has deadlines all the same")
  void again() {
    loop.execute(() -> {
      deadline();
      stop();
      later(() -> {
        stop();
        later(() -> order.add("answer"));
      });
    });
    assertThat(Waiting.next(order)).isEqualTo("deadline");
    assertThat(Waiting.next(order)).isEqualTo("answer");
  }
}
