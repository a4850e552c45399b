package dev.rpcrdma.api.impl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.verbs.LocalMemory;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class MemoryPoolTest {

  private static final int SMALL = 1 << 20;
  private static final int LARGE = 8 << 20;

  private final Vertx vertx = Vertx.vertx(new VertxOptions().setWorkerPoolSize(1));
  private final SharedDevice device =
      SharedDevice.acquire(vertx, new RpcClientOptions().setProvider("siw"));
  private final MemoryPool pool = Waiting.await(device.opened()).pool();

  @AfterEach
  void nothingIsLeft() {
    assertThat(pool.usedBytes()).isZero();
    Waiting.await(device.release());
    Waiting.await(vertx.close());
  }

  @Test
  @DisplayName("Large blocks are made on a worker, small ones at once")
  void largeBlocks() {
    CountDownLatch busy = new CountDownLatch(1);
    Future<Void> worker = vertx.executeBlocking(() -> {
      busy.await();
      return null;
    });
    Future<LocalMemory> small = pool.acquire(SMALL);
    assertThat(small.succeeded()).isTrue();
    Future<LocalMemory> large = pool.acquire(LARGE);
    assertThat(large.isComplete()).as("made while the only worker is busy").isFalse();
    assertThat(pool.usedBytes()).isEqualTo(SMALL + LARGE);
    busy.countDown();
    Waiting.await(worker);
    LocalMemory block = Waiting.await(large);
    assertThat(block.length()).isEqualTo(LARGE);
    pool.release(block);
    pool.release(small.result());
  }
}
