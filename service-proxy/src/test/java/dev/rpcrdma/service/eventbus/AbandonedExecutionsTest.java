// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.eventbus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcRejectedException;
import dev.rpcrdma.api.RpcResourceException;
import dev.rpcrdma.service.fixture.Orders;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Calls over the event bus whose service never answers. */
class AbandonedExecutionsTest {

  private final Vertx vertx = Vertx.vertx();

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  /** Fails if {@code HostedCall.giveUp} does not leave the execution. */
  @Test
  @DisplayName("A call that its service never answers counts for the timeout at most")
  void forgotten() {
    Orders silent = new Orders() {
      @Override
      public Future<Long> place(String article, int count) {
        return Promise.<Long>promise().future();
      }

      @Override
      public Future<List<String>> find(String prefix) {
        return Future.succeededFuture(List.of());
      }
    };
    Waiting.await(new RpcServiceBinder(vertx).setAddress("orders").setMaxCalls(1).setTimeout(Duration.ofMillis(500))
        .register(Orders.class, silent));
    Orders orders = EventBusChannel.create(vertx, "orders").proxy(Orders.class);
    assertThat(Waiting.awaitFailure(orders.place("tea", 1))).isInstanceOf(RpcRejectedException.class);
    assertThat(Waiting.awaitFailure(orders.find(""))).isInstanceOf(RpcResourceException.class);
    Waiting.until(() -> Waiting.outcome(orders.find("")) == null);
  }
}
