// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.testkit.EverythingLogged;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.serviceproxy.ServiceException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Objects that calls have made. */
class ObjectTableTest {

  private final Vertx vertx = Vertx.vertx();
  private final Context context = vertx.getOrCreateContext();
  private final ObjectTable objects = new ObjectTable(vertx, ObjectTable.CHECK_MILLIS);
  private final BlockingQueue<String> closed = new LinkedBlockingQueue<>();

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  private UUID add(Object object, Runnable closer, long now) {
    return add(objects, object, "peer", closer, now);
  }

  private UUID add(ObjectTable table, Object object, String peer, Runnable closer, long now) {
    return table.add(new ObjectTable.Entry(object, context, () -> {
      closer.run();
      return null;
    }, peer, now));
  }

  private void assertClosed(String... names) {
    for (String name : names) {
      assertThat(Waiting.next(closed)).isEqualTo(name);
    }
    assertThat(closed).isEmpty();
  }

  @Test
  @DisplayName("An object is found by its id and its type alone, and is gone once it is taken")
  void found() {
    UUID id = add("text", () -> { }, System.nanoTime());
    assertThat(objects.find(id, String.class).object()).isEqualTo("text");
    assertThat(objects.find(id, Integer.class)).isNull();
    assertThat(objects.take(id, Integer.class)).isNull();
    assertThat(objects.find(new UUID(1, 2), String.class)).isNull();
    assertThat(objects.take(id, String.class).object()).isEqualTo("text");
    assertThat(objects.find(id, String.class)).isNull();
    assertThat(objects.expire(Long.MAX_VALUE)).isFalse();
  }

  @Test
  @DisplayName("What is not called for long is closed; what is called stays")
  void expired() {
    long now = System.nanoTime();
    long before = now - ObjectTable.IDLE_NANOS;
    UUID used = add("used", () -> closed.add("used"), before);
    add("throws", () -> {
      closed.add("throws");
      throw new IllegalStateException("closing");
    }, before);
    add("idle", () -> closed.add("idle"), before);
    UUID fresh = add("new", () -> closed.add("new"), now);
    assertThat(objects.find(used, String.class)).isNotNull();
    assertThat(objects.expire(now)).isTrue();
    assertClosed("throws", "idle");
    assertThat(objects.take(fresh, String.class)).isNotNull();
    assertThat(objects.expire(now)).as("what was called is left").isTrue();
    assertThat(objects.find(used, String.class)).isNotNull();
    assertThat(objects.expire(System.nanoTime() + ObjectTable.IDLE_NANOS)).isFalse();
    assertClosed("used");
  }

  /** Fails if {@code ObjectTable.find} counts a call that names another type. */
  @Test
  @DisplayName("A call of another type keeps no object open")
  void otherType() {
    long now = System.nanoTime();
    UUID idle = add("idle", () -> closed.add("idle"), now - ObjectTable.IDLE_NANOS);
    add("new", () -> closed.add("new"), now);
    assertThat(objects.find(idle, Integer.class)).isNull();
    assertThat(objects.expire(now)).isTrue();
    assertClosed("idle");
  }

  /** Fails if {@code ObjectTable.Entry} does not look at the future of a closing method. */
  @Test
  @DisplayName("An object that fails to close is logged, whether its method throws or its future fails")
  void notClosed() {
    try (EverythingLogged log = new EverythingLogged()) {
      long before = System.nanoTime() - ObjectTable.IDLE_NANOS;
      objects.add(new ObjectTable.Entry("", context, () -> Future.failedFuture("failed"), "peer", before));
      objects.add(new ObjectTable.Entry("", context, () -> {
        throw new IllegalStateException("thrown");
      }, "peer", before));
      objects.expire(System.nanoTime());
      for (String cause : List.of("failed", "thrown")) {
        Waiting.until(() -> log.all().stream().anyMatch(
            each -> each.startsWith("An object that no caller uses could not be closed") && each.contains(cause)));
      }
    }
  }

  /**
   * Fails if {@code ObjectTable.watch} sets its timer on the context that adds the first object, does not go on while
   * objects are left, or does not begin again after the last one.
   */
  @Test
  @DisplayName("Idle objects are closed though the verticle is gone that made the first of them")
  void verticleGone() {
    ObjectTable table = new ObjectTable(vertx, 20);
    String deployment = Waiting.await(vertx.deployVerticle(new VerticleBase() {
      @Override
      public Future<?> start() {
        long idle = System.nanoTime() - ObjectTable.IDLE_NANOS;
        add(table, "first", "peer", () -> closed.add("first"), idle + TimeUnit.MILLISECONDS.toNanos(100));
        add(table, "second", "peer", () -> closed.add("second"), idle + TimeUnit.MILLISECONDS.toNanos(300));
        return Future.succeededFuture();
      }
    }));
    Waiting.await(vertx.undeploy(deployment));
    assertClosed("first", "second");
    add(table, "third", "peer", () -> closed.add("third"), System.nanoTime() - ObjectTable.IDLE_NANOS);
    assertClosed("third");
  }

  /**
   * Fails if {@code ObjectTable.add} does not close the object that it has no room for, or if {@code take} or {@code
   * expire} leaves a number as it was.
   */
  @Test
  @DisplayName("A peer has half of what the others leave free, and the object above that is closed")
  void bounded() {
    long now = System.nanoTime();
    UUID id = null;
    for (int i = 0; i < 10_000; i++) {
      id = add(objects, i, "greedy", () -> { }, now - ObjectTable.IDLE_NANOS + i);
    }
    assertFull("greedy", now);
    for (int i = 0; i < 5_000; i++) {
      add(objects, i, "modest", () -> { }, now);
    }
    assertFull("modest", now);
    assertThat(objects.take(id, Integer.class).object()).isEqualTo(9_999);
    assertFull("greedy", now);
    assertThat(objects.expire(now)).isTrue();
    add(objects, "room", "modest", () -> { }, now);
  }

  private void assertFull(String peer, long now) {
    assertThatThrownBy(() -> add(objects, "more", peer, () -> closed.add("more"), now))
        .isInstanceOfSatisfying(ServiceException.class, e -> assertThat(e.failureCode()).isEqualTo(429))
        .hasMessageContaining(" objects of " + peer + ", which has to close some of them first");
    assertClosed("more");
  }

  /** Fails if {@code ObjectTable.Entry.close} closes nothing, or throws what the object throws. */
  @Test
  @DisplayName("An object whose threads have ended is closed on the current thread, whatever it throws")
  void threadsEnded() {
    Vertx ended = Vertx.vertx();
    Context context = ended.getOrCreateContext();
    Waiting.await(ended.close());
    AtomicInteger closed = new AtomicInteger();
    new ObjectTable.Entry("", context, () -> {
      closed.incrementAndGet();
      throw new AssertionError("on purpose");
    }, "peer", 0).close();
    assertThat(closed).hasValue(1);
  }
}
