// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.ProviderOptions;
import dev.rpcrdma.api.RpcOptions;
import dev.rpcrdma.api.impl.connection.SharedDevice;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.support.PageMemory;
import io.netty.util.concurrent.EventExecutor;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.json.JsonObject;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class MemoryPoolTest {

  private static final int SMALL = 1 << 20;
  private static final int LARGE = 8 << 20;
  private static final long SHORT_WAIT = 20;
  private static final long LONG_WAIT = 60_000;

  private final Vertx vertx = Vertx.vertx(new VertxOptions().setWorkerPoolSize(1));
  private final SharedDevice device =
      SharedDevice.acquire(vertx, new ProviderOptions("siw", new JsonObject()), "");
  private final MemoryPool pool = Waiting.await(device.opened()).pools()
      .of(RpcOptions.DEFAULT_MAX_POOL_BYTES);

  @AfterEach
  void nothingIsLeft() {
    assertThat(pool.usedBytes()).isZero();
    Waiting.await(device.release());
    Waiting.await(vertx.close());
  }

  private MemoryPool pool(long maxBytes, long waitMillis) {
    return new MemoryPool(vertx, pool.domain(), "test", PoolBound.of(maxBytes), waitMillis,
        PageMemory::allocate);
  }

  @Test
  @DisplayName("Blocks are made on a worker, and had at once when they are kept")
  void onWorker() {
    CountDownLatch busy = new CountDownLatch(1);
    Future<Void> worker = vertx.executeBlocking(() -> {
      busy.await();
      return null;
    });
    Future<LocalMemory> small = pool.acquire(SMALL);
    Future<LocalMemory> large = pool.acquire(LARGE);
    assertThat(small.isComplete()).as("made while the only worker is busy").isFalse();
    assertThat(large.isComplete()).isFalse();
    assertThat(pool.usedBytes()).isEqualTo(SMALL + LARGE);
    busy.countDown();
    Waiting.await(worker);
    LocalMemory block = Waiting.await(large);
    assertThat(block.length()).isEqualTo(LARGE);
    pool.release(block);
    pool.release(Waiting.await(small));
    Future<LocalMemory> again = pool.acquire(SMALL - 1);
    assertThat(again.succeeded()).isTrue();
    pool.release(again.result());
  }

  @Test
  @DisplayName("A large block is used again by who asks soon, for nearly as much; and is given up after a while")
  void largeBlocks() {
    LocalMemory block = Waiting.await(pool.acquire(LARGE));
    pool.release(block);
    Future<LocalMemory> much = pool.acquire(LARGE + 1);
    Future<LocalMemory> half = pool.acquire(LARGE / 2 + 1);
    assertThat(half.succeeded()).as("at once").isTrue();
    assertThat(half.result()).isSameAs(block);
    assertThat(pool.usedBytes()).isEqualTo(2L * LARGE + 1);
    pool.release(half.result());
    pool.release(Waiting.await(much));
    assertThat(pool.idleBytes()).isEqualTo(2L * LARGE + 1);
    Waiting.until(() -> pool.idleBytes() == 0);
    assertThat(Waiting.await(pool.acquire(LARGE))).isNotSameAs(block).satisfies(pool::release);
  }

  /** Fails if small blocks are kept that nobody uses while there is no memory for large ones. */
  @Test
  @DisplayName("Where direct memory is short, blocks that nobody uses are given up")
  void directMemoryIsShort() {
    AtomicInteger free = new AtomicInteger(2 * SMALL);
    MemoryPool scarce = new MemoryPool(vertx, pool.domain(), "test", PoolBound.of(4 * LARGE), SHORT_WAIT, size -> {
      if (free.getAndAdd(-size) < size) {
        // As the JDK does when its cleaners have been run.
        free.set(4 * LARGE);
        throw new OutOfMemoryError();
      }
      return PageMemory.allocate(size);
    });
    LocalMemory kept = Waiting.await(scarce.acquire(SMALL));
    scarce.release(kept);
    LocalMemory large = Waiting.await(scarce.acquire(LARGE));
    LocalMemory small = Waiting.await(scarce.acquire(SMALL));
    assertThat(small).isNotSameAs(kept);
    scarce.release(large);
    scarce.release(small);
    Waiting.await(scarce.close());
  }

  /** Fails if a block that is made is told by way of an event loop of somebody else's. */
  @Test
  @DisplayName("A block is made though all event loops are busy")
  void busyLoops() {
    CountDownLatch busy = new CountDownLatch(1);
    for (EventExecutor loop : ((VertxInternal) vertx).nettyEventLoopGroup()) {
      loop.execute(() -> {
        try {
          busy.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      });
    }
    try {
      pool.release(Waiting.await(pool.acquire(SMALL)));
    } finally {
      busy.countDown();
    }
  }

  @Test
  @DisplayName("Who finds no memory waits for that of others, in the order of asking")
  void waits() {
    MemoryPool pool = pool(4 * SMALL, LONG_WAIT);
    LocalMemory first = Waiting.await(pool.acquire(2 * SMALL));
    LocalMemory second = Waiting.await(pool.acquire(2 * SMALL));
    Future<LocalMemory> large = pool.acquire(4 * SMALL);
    Future<LocalMemory> small = pool.acquire(SMALL);
    pool.release(first);
    assertThat(small.isComplete()).as("does not overtake the one that wants more").isFalse();
    pool.release(second);
    LocalMemory all = Waiting.await(large);
    assertThat(small.isComplete()).isFalse();
    pool.release(all);
    pool.release(Waiting.await(small));
    assertThat(pool.usedBytes()).isZero();
    Waiting.await(pool.close());
  }

  @Test
  @DisplayName("Nobody waits for ever, and whoever waits behind is served then")
  void notForEver() {
    MemoryPool pool = pool(4 * SMALL, SHORT_WAIT);
    LocalMemory first = Waiting.await(pool.acquire(2 * SMALL));
    Future<LocalMemory> large = pool.acquire(4 * SMALL);
    Future<LocalMemory> small = pool.acquire(SMALL);
    assertThat(Waiting.awaitFailure(large)).isInstanceOf(VerbsException.class)
        .hasMessageContaining("maxPoolBytes");
    pool.release(Waiting.await(small));
    pool.release(first);
    Waiting.await(pool.close());
  }

  @Test
  @DisplayName("More than there can ever be fails at once, and so does waiting when the pool is closed")
  void never() {
    MemoryPool pool = pool(4 * SMALL, LONG_WAIT);
    assertThat(pool.acquire(5 * SMALL).cause()).hasMessageContaining("by itself is beyond maxPoolBytes (4194304)");
    LocalMemory first = Waiting.await(pool.acquire(4 * SMALL));
    Future<LocalMemory> waits = pool.acquire(SMALL);
    Waiting.await(pool.close());
    assertThat(Waiting.awaitFailure(waits)).isInstanceOfSatisfying(VerbsException.class,
        e -> assertThat(e.kind()).isEqualTo(VerbsException.Kind.CLOSED));
    pool.release(first);
    assertThat(pool.usedBytes()).isZero();
  }

  /** Fails if the wait is timed by the context of who asks, which ends with its verticle. */
  @Test
  @DisplayName("Who waits is told when its time is over, though its verticle is gone")
  void waitsWithoutVerticle() {
    MemoryPool pool = pool(4 * SMALL, SHORT_WAIT);
    LocalMemory all = Waiting.await(pool.acquire(4 * SMALL));
    assertThat(Waiting.awaitFailure(ShortVerticle.begins(vertx, () -> pool.acquire(SMALL))))
        .hasMessageContaining("maxPoolBytes");
    pool.release(all);
    Waiting.await(pool.close());
  }

  /** Fails if large blocks are looked after by the context of who has released the first. */
  @Test
  @DisplayName("Large blocks are given up after a while, though the verticle that had them is gone")
  void idleWithoutVerticle() {
    LocalMemory block = Waiting.await(pool.acquire(LARGE));
    Waiting.await(ShortVerticle.begins(vertx, () -> {
      pool.release(block);
      return Future.succeededFuture();
    }));
    assertThat(pool.idleBytes()).isEqualTo(LARGE);
    Waiting.until(() -> pool.idleBytes() == 0);
  }

  /** Fails if blocks are made by workers of who asks or gives back, which end with its verticle. */
  @Test
  @DisplayName("A block is made for whoever waits, though workers of the verticle that gives one back are gone")
  void madeWithoutVerticle() {
    LocalMemory large = Waiting.await(ShortVerticle.begins(vertx, () -> pool.acquire(LARGE)));
    MemoryPool small = pool(4 * SMALL, LONG_WAIT);
    LocalMemory all = Waiting.await(small.acquire(4 * SMALL));
    Future<Context> context = ShortVerticle.begins(vertx, () -> Future.succeededFuture(vertx.getOrCreateContext()));
    Future<LocalMemory> waits = small.acquire(SMALL);
    Waiting.await(context).runOnContext(gone -> small.release(all));
    small.release(Waiting.await(waits));
    pool.release(large);
    Waiting.await(small.close());
  }
}
