// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When more calls may be made, and when a server is tried again. */
class QueuesAndPausesTest {

  private final Vertx vertx = Vertx.vertx();

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  /** Fails if {@code Revival.failed} shifts without a look at what is left of the time. */
  @ParameterizedTest
  @ValueSource(longs = {1, 100, 10_000, 60_000, 3_600_000})
  @DisplayName("A server that stays away is never tried again at once, however often it has failed")
  void pauses(long millis) {
    Revival revival = new Revival(new RpcClientOptions().setReconnectDelay(Duration.ofMillis(millis))
        .setMaxReconnectDelay(Duration.ofMillis(Math.max(millis, 60_000))));
    long pause = Duration.ofMillis(millis).toNanos();
    for (long now = 0, failures = 0; failures < 70; failures++, now += Duration.ofHours(2).toNanos()) {
      revival.failed(now);
      assertThat(revival.isDue(now + pause - 1)).isFalse();
      assertThat(revival.isDue(now + Duration.ofMillis(Math.max(millis, 60_000)).toNanos())).isTrue();
    }
  }

  /** Fails if {@code CompositeQueue.isFull} takes back what it has not set. */
  @Test
  @DisplayName("Who was told that a queue is full hears when it is not, whoever asks at the same time")
  void askedAtOnce() {
    AtomicReference<CompositeQueue> queue = new AtomicReference<>();
    AtomicInteger asked = new AtomicInteger();
    AtomicBoolean told = new AtomicBoolean();
    queue.set(new CompositeQueue(vertx.getOrCreateContext(), () -> {
      if (asked.getAndIncrement() > 0) {
        return asked.get() == 2;
      }
      // Another thread asks in the midst of the first question.
      told.set(queue.get().isFull());
      return false;
    }));
    Promise<Void> drained = Promise.promise();
    queue.get().drainHandler(drained::complete);
    assertThat(queue.get().isFull()).isFalse();
    assertThat(told).isTrue();
    queue.get().drained();
    Waiting.await(drained.future());
  }

  /** Fails if {@code CompositeQueue.drained} does not look whether it is full. */
  @Test
  @DisplayName("Nobody is told to go on while all parts are full")
  void stillFull() {
    AtomicBoolean full = new AtomicBoolean(true);
    CompositeQueue queue = new CompositeQueue(vertx.getOrCreateContext(), full::get);
    AtomicReference<Boolean> then = new AtomicReference<>();
    Promise<Void> drained = Promise.promise();
    assertThat(queue.isFull()).isTrue();
    queue.drainHandler(done -> {
      then.set(full.get());
      drained.tryComplete();
    });
    queue.drained();
    // Of handlers of one context the first is called first.
    Promise<Void> behind = Promise.promise();
    vertx.getOrCreateContext().runOnContext(behind::complete);
    Waiting.await(behind.future());
    full.set(false);
    queue.drained();
    Waiting.await(drained.future());
    assertThat(then).hasValue(false);
  }

  /** Fails if {@code CompositeQueue.drainHandler} does not look whether there is room by now. */
  @Test
  @DisplayName("A handler that comes when there is room again is called at once")
  void lateHandler() {
    AtomicBoolean full = new AtomicBoolean(true);
    CompositeQueue queue = new CompositeQueue(vertx.getOrCreateContext(), full::get);
    assertThat(queue.isFull()).isTrue();
    full.set(false);
    queue.drained();
    assertThat(queue.isFull()).isFalse();
    full.set(true);
    assertThat(queue.isFull()).isTrue();
    full.set(false);
    Promise<Void> drained = Promise.promise();
    queue.drainHandler(drained::complete);
    Waiting.await(drained.future());
  }
}
