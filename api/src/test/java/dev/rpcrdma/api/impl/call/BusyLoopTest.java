// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.RpcServerVerticle;
import dev.rpcrdma.api.fixture.RpcBed;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Calls that come while a service keeps the loop busy. */
class BusyLoopTest {

  private static final Duration TIMEOUT = Duration.ofMillis(400);

  private final Vertx vertx = Vertx.vertx();
  private final Vertx clients = Vertx.vertx();
  private final BlockingQueue<String> executed = new LinkedBlockingQueue<>();
  /** Until when each "first" keeps the loop busy. */
  private final Queue<CountDownLatch> busy = new ConcurrentLinkedQueue<>();

  @AfterEach
  void close() {
    Waiting.await(clients.close());
    Waiting.await(vertx.close());
  }

  /** Fails if {@code CallBeingServed.serve} takes the time at which its batch has begun. */
  @Test
  @DisplayName("A call whose time is over since another one of its batch has kept the loop busy is not executed")
  void sameBatch() {
    RpcServerVerticle verticle = new RpcServerVerticle(new RpcServerOptions(),
        SocketAddress.inetSocketAddress(0, RpcBed.HOST), server -> server.bind(
            new BusyService(executed, () -> Waiting.await(busy.remove()))));
    Waiting.await(vertx.deployVerticle(verticle));
    RpcChannel channel = RpcClient.create(clients)
        .channel(SocketAddress.inetSocketAddress(verticle.server().actualPort(), RpcBed.HOST));
    Waiting.await(channel.call(RpcRequest.to(BusyService.BINDING, 4).build()));
    executed.clear();
    long sentBefore = sent(channel);
    CountDownLatch both = new CountDownLatch(1);
    CountDownLatch late = new CountDownLatch(1);
    busy.addAll(List.of(both, late));
    Future<Void> first = channel.call(RpcRequest.to(BusyService.BINDING, 1).build());
    Waiting.until(() -> !executed.isEmpty());
    // Both come while the loop is busy, so that they are one batch.
    Future<Void> second = channel.call(RpcRequest.to(BusyService.BINDING, 1).build());
    Future<Void> inVain = channel.call(RpcRequest.to(BusyService.BINDING, 2)
        .options(CallOptions.DEFAULT.withTimeout(TIMEOUT)).build());
    // They have left together; the server counts their time from when it has read them.
    Waiting.until(() -> sent(channel) == sentBefore + 3);
    both.countDown();
    Waiting.until(() -> executed.size() == 2);
    long over = System.nanoTime() + TIMEOUT.toNanos();
    Waiting.awaitFailure(inVain);
    Waiting.until(() -> System.nanoTime() - over > 0);
    late.countDown();
    Waiting.await(first);
    Waiting.await(second);
    Waiting.await(channel.call(RpcRequest.to(BusyService.BINDING, 4).build()));
    assertThat(executed).containsExactly("first", "first", "last");
  }

  private static long sent(RpcChannel channel) {
    return Waiting.await(Waiting.await(channel.connect()).snapshot()).calls().sent();
  }
}
