// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.protocol.fabric.MessageBuffer;
import dev.rpcrdma.testkit.Waiting;
import io.netty.channel.EventLoop;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Growth of a pool of send buffers. */
class SendGrowthTest {

  private static final int LENGTH = 1024;
  private static final int FEW = SendPool.SLAB / 4;

  private final Vertx vertx = Vertx.vertx();
  private final EventLoop loop = ((VertxInternal) vertx).createEventLoopContext().nettyEventLoop();
  private final CountingDomain domain = new CountingDomain();
  private final SendPools pools = new SendPools(vertx, domain);

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  private <T> T onLoop(Supplier<T> action) {
    Promise<T> result = Promise.promise();
    loop.execute(() -> result.complete(action.get()));
    return Waiting.await(result.future());
  }

  private static List<MessageBuffer> take(SendPool pool, int count) {
    List<MessageBuffer> taken = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      taken.add(pool.take());
    }
    return taken;
  }

  /** Returns the number of buffers when so many have been taken, and all growth is over. */
  private int countAfter(int taken) {
    SendPool pool = Waiting.await(pools.of(loop, LENGTH));
    onLoop(() -> take(pool, taken));
    Waiting.await(pools.close());
    return onLoop(pool::count);
  }

  /** Fails if {@code SendPool.growIfFew} registers buffers while there are enough. */
  @Test
  @DisplayName("No buffers are registered while a quarter of them is left")
  void enough() {
    assertThat(countAfter(SendPool.SLAB - FEW)).isEqualTo(SendPool.SLAB);
    assertThat(domain.asked()).isEqualTo(1);
  }

  /** Fails if {@code SendPool.take} leaves growth to callers that wait. */
  @Test
  @DisplayName("More buffers are registered when fewer than a quarter are left, though no caller waits")
  void few() {
    assertThat(countAfter(SendPool.SLAB - FEW + 1)).isEqualTo(2 * SendPool.SLAB);
    assertThat(domain.registrations()).isZero();
  }

  /** Fails if {@code SendPool.hasBuffer} returns true without a free buffer. */
  @Test
  @DisplayName("When the last buffer is taken there is none, until one comes back")
  void none() {
    SendPool pool = Waiting.await(pools.of(loop, LENGTH));
    domain.refuse();
    List<Boolean> there = onLoop(() -> {
      List<Boolean> answers = new ArrayList<>();
      List<MessageBuffer> all = take(pool, SendPool.SLAB - 1);
      answers.add(pool.hasBuffer());
      all.addAll(take(pool, 1));
      answers.add(pool.hasBuffer());
      all.get(0).free();
      answers.add(pool.hasBuffer());
      return answers;
    });
    assertThat(there).containsExactly(true, false, true);
  }

  /** Fails if {@code SendPools.each} asks a pool that could not be made. */
  @Test
  @DisplayName("A pool that could not be made has nothing in use, and is closed with the others")
  void failed() {
    SendPool made = Waiting.await(pools.of(loop, LENGTH));
    domain.refuse();
    Waiting.awaitFailure(pools.of(loop, 2 * LENGTH));
    onLoop(() -> take(made, 3));
    assertThat(Waiting.await(pools.inUse())).isEqualTo(3);
    Waiting.await(pools.close());
    assertThat(domain.registrations()).isZero();
  }

  /** Fails if {@code SendPool.grow} leaves callers waiting for buffers of a loop that has ended meanwhile. */
  @Test
  @DisplayName("Buffers for a loop that ends while they are registered are a failure")
  void loopEnds() {
    AtomicBoolean ended = new AtomicBoolean();
    EventLoop ending = (EventLoop) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {EventLoop.class},
        (self, method, arguments) -> {
          if (method.getName().equals("execute") && ended.get()) {
            throw new RejectedExecutionException("ended");
          }
          try {
            return method.invoke(loop, arguments);
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        });
    Promise<Void> gate = Promise.promise();
    domain.gate(gate.future());
    Future<SendPool> pool = pools.of(ending, LENGTH);
    Waiting.until(() -> domain.asked() == 1);
    loop.execute(() -> {
      ended.set(true);
      gate.complete();
    });
    assertThat(Waiting.awaitFailure(pool)).hasMessage("ended");
  }
}
