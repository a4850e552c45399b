// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.Payload;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.ProtectionDomain;
import dev.rpcrdma.verbs.VerbsException;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ChunkPoolTest {

  private final Vertx vertx = Vertx.vertx();
  private final ChunkPool pool = new ChunkPool(vertx, 100, 2);

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  @Test
  @DisplayName("Memory is used again by the next one when its last owner has let go, and not before")
  void usedAgain() {
    Payload first = Waiting.await(pool.take());
    Payload second = Waiting.await(pool.take());
    first.bytes().put(0, (byte) 7);
    Future<Payload> third = pool.take();
    Future<Payload> fourth = pool.take();
    Payload slice = first.slice(0, 1);
    first.retain();
    first.release();
    first.release();
    assertThat(third.isComplete()).isFalse();
    slice.release();
    assertThat(third.isComplete()).isTrue();
    assertThat(third.result().bytes().get(0)).isEqualTo((byte) 7);
    assertThat(fourth.isComplete()).isFalse();
    assertThat(pool.bytes()).isEqualTo(200);
    assertThat(first.tryRetain()).isFalse();
    third.result().release();
    assertThat(fourth.isComplete()).isTrue();
    fourth.result().release();
    second.release();
    assertThat(Waiting.await(pool.take()).length()).isEqualTo(100);
    assertThat(pool.bytes()).isEqualTo(200);
  }

  @Test
  @DisplayName("Closing fails those who wait; what is in use comes back later")
  void closing() {
    Payload first = Waiting.await(pool.take());
    Waiting.await(pool.take());
    Future<Payload> waiting = pool.take();
    pool.close();
    assertThat(Waiting.awaitFailure(waiting)).isInstanceOf(VerbsException.class);
    assertThat(Waiting.awaitFailure(pool.take())).isInstanceOf(VerbsException.class);
    assertThat(first.bytes().remaining()).isEqualTo(100);
    first.release();
  }

  /** Fails if {@code ChunkPool.close} fails a waiting caller twice. */
  @Test
  @DisplayName("A pool is closed twice without harm")
  void closedTwice() {
    Waiting.await(pool.take());
    Waiting.await(pool.take()).release();
    Waiting.await(pool.take());
    Future<Payload> waiting = pool.take();
    pool.close();
    pool.close();
    assertThat(Waiting.awaitFailure(waiting)).hasMessage("The stream has ended");
  }

  @Test
  @DisplayName("A chunk is registered once, whatever payloads are over it, until the pool is closed")
  void registeredOnce() {
    AtomicInteger registered = new AtomicInteger();
    AtomicInteger deregistered = new AtomicInteger();
    LocalMemory memory = stub(LocalMemory.class, method -> {
      deregistered.incrementAndGet();
      return Future.succeededFuture();
    });
    ProtectionDomain domain = stub(ProtectionDomain.class, method -> {
      registered.incrementAndGet();
      return Future.succeededFuture(memory);
    });
    for (int i = 0; i < 3; i++) {
      Payload payload = Waiting.await(pool.take());
      assertThat(((PayloadImpl) payload).registered(domain).result()).isSameAs(memory);
      if (i == 2) {
        pool.close();
      }
      assertThat(deregistered).hasValue(0);
      payload.release();
    }
    assertThat(registered).hasValue(1);
    assertThat(deregistered).hasValue(1);
  }

  private static <T> T stub(Class<T> type, Function<Method, Object> answer) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type},
        (self, method, arguments) -> method.getDeclaringClass() == Object.class
            ? method.getName().equals("hashCode") ? (Object) System.identityHashCode(self) : self == arguments[0]
            : answer.apply(method)));
  }
}
