// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.protocol.fabric.MessageBuffer;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.verbs.DeviceOptions;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.ProtectionDomain;
import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.VerbsProviders;
import io.netty.channel.EventLoop;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SendPoolTest {

  private final VertxInternal vertx = (VertxInternal) Vertx.vertx();
  private final EventLoop loop = vertx.createEventLoopContext().nettyEventLoop();
  private final Domain domain = new Domain(
      VerbsProviders.named("siw").open(vertx, DeviceOptions.DEFAULT).allocateProtectionDomain());
  private final SendPools pools = new SendPools(vertx, domain);

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  private <T> T onLoop(Callable<T> action) throws Exception {
    return loop.submit(action).get(Waiting.DEADLINE.toSeconds(), TimeUnit.SECONDS);
  }

  private List<MessageBuffer> take(SendPool pool, int count) throws Exception {
    return onLoop(() -> {
      List<MessageBuffer> taken = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        taken.add(pool.take());
      }
      return taken;
    });
  }

  /** Fails if buffers are made by workers of who comes first, which end with its verticle. */
  @Test
  @DisplayName("There are buffers, though the verticle that was the first to want some is gone")
  void madeWithoutVerticle() {
    SendPool pool = Waiting.await(ShortVerticle.begins(vertx, () -> pools.of(loop, 1024)));
    assertThat(Waiting.await(pools.of(loop, 1024))).isSameAs(pool);
  }

  @Test
  @DisplayName("The connections of a loop share buffers, and loops and lengths have their own")
  void shared() {
    SendPool pool = Waiting.await(pools.of(loop, 1024));
    assertThat(Waiting.await(pools.of(loop, 1024))).isSameAs(pool);
    assertThat(Waiting.await(pools.of(loop, 4096))).isNotSameAs(pool);
    EventLoop other = loop;
    while (other == loop) {
      other = vertx.createEventLoopContext().nettyEventLoop();
    }
    assertThat(Waiting.await(pools.of(other, 1024))).isNotSameAs(pool);
    assertThat(domain.registrations()).isEqualTo(3);
  }

  @Test
  @DisplayName("Buffers are distinct, as long as was asked for, and come back")
  void takenAndGivenBack() throws Exception {
    SendPool pool = Waiting.await(pools.of(loop, 1000));
    List<MessageBuffer> taken = take(pool, 20);
    assertThat(taken.stream().map(buffer -> ((RegisteredRange) buffer).memoryOffset()).distinct()).hasSize(20);
    assertThat(taken).allMatch(buffer -> buffer.bytes().remaining() == 1000);
    onLoop(() -> {
      taken.forEach(MessageBuffer::free);
      return null;
    });
    assertThat(onLoop(pool::left)).isEqualTo(SendPool.SLAB);
    assertThat(domain.registrations()).isEqualTo(1);
  }

  @Test
  @DisplayName("Before the last buffer is taken the next ones are being registered")
  void grows() throws Exception {
    SendPool pool = Waiting.await(pools.of(loop, 1024));
    List<MessageBuffer> all = take(pool, SendPool.SLAB);
    CountDownLatch more = new CountDownLatch(1);
    onLoop(() -> {
      if (pool.hasBuffer()) {
        more.countDown();
      } else {
        pool.await(more::countDown);
      }
      return null;
    });
    Waiting.await(more);
    assertThat(onLoop(pool::count)).isEqualTo(2 * SendPool.SLAB);
    assertThat(onLoop(pool::left)).isEqualTo(2 * SendPool.SLAB - all.size());
  }

  @Test
  @DisplayName("Without memory for more, whoever waits gets what others give back, and more is tried again")
  void noMemoryForMore() throws Exception {
    SendPool pool = Waiting.await(pools.of(loop, 1024));
    domain.refuse = true;
    List<MessageBuffer> all = take(pool, SendPool.SLAB);
    List<String> served = new ArrayList<>();
    onLoop(() -> {
      pool.await(() -> served.add("first with " + pool.take().bytes().capacity()));
      pool.await(() -> served.add("second with " + pool.take().bytes().capacity()));
      all.remove(0).free();
      return null;
    });
    assertThat(onLoop(() -> List.copyOf(served))).containsExactly("first with 1024");
    domain.refuse = false;
    CountDownLatch third = new CountDownLatch(1);
    // The refusal may still be on its way, so that this one is not the one to try again.
    Waiting.until(() -> Waiting.await(asked(pool, third)));
    Waiting.await(third);
    assertThat(onLoop(() -> List.copyOf(served))).containsExactly("first with 1024", "second with 1024");
  }

  /** Asks for a buffer unless there are new ones, which the attempt under way may get; tells whether there are. */
  private Future<Boolean> asked(SendPool pool, CountDownLatch heard) {
    Promise<Boolean> grown = Promise.promise();
    loop.execute(() -> {
      grown.complete(pool.count() > SendPool.SLAB);
      if (pool.count() == SendPool.SLAB) {
        pool.await(heard::countDown);
      } else {
        heard.countDown();
      }
    });
    return grown.future();
  }

  @Test
  @DisplayName("Closing deregisters all, also what is being registered")
  void closing() throws Exception {
    SendPool pool = Waiting.await(pools.of(loop, 1024));
    Promise<Void> gate = Promise.promise();
    domain.gate = gate.future();
    List<MessageBuffer> taken = take(pool, SendPool.SLAB - 1);
    assertThat(Waiting.await(pools.inUse())).isEqualTo(taken.size());
    Future<Void> closed = pools.close();
    assertThat(onLoop(pool::count)).as("registered").isEqualTo(SendPool.SLAB);
    gate.complete();
    Waiting.await(closed);
    assertThat(domain.registrations()).isZero();
  }

  @Test
  @DisplayName("Without memory at all there is no pool, and the next connection tries again")
  void noMemory() {
    domain.refuse = true;
    assertThat(Waiting.awaitFailure(pools.of(loop, 1024))).isInstanceOf(VerbsException.class);
    domain.refuse = false;
    assertThat(Waiting.await(pools.of(loop, 1024))).isNotNull();
  }

  /** Refuses what a test says. */
  private static final class Domain implements ProtectionDomain {

    private final ProtectionDomain own;
    private volatile boolean refuse;
    /** Registrations wait for this. */
    private volatile Future<Void> gate = Future.succeededFuture();

    Domain(ProtectionDomain own) {
      this.own = own;
    }

    @Override
    public Future<LocalMemory> register(ByteBuffer memory, LocalMemory.Backing backing) {
      return refuse ? Future.failedFuture(new VerbsException(VerbsException.Kind.RESOURCES, "refused"))
          : gate.compose(open -> own.register(memory, backing));
    }

    @Override
    public int registrations() {
      return own.registrations();
    }

    @Override
    public Future<Void> close() {
      return own.close();
    }
  }
}
