// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.desk.server;

import static dev.rpcrdma.testkit.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.examples.desk.MarketOrder;
import dev.rpcrdma.examples.desk.NewOrder;
import dev.rpcrdma.examples.desk.Order;
import dev.rpcrdma.examples.desk.OrderState;
import dev.rpcrdma.examples.desk.Side;
import io.vertx.core.Vertx;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A call that begins to wait for an order while another thread ends the order. */
class LateWaiterTest {

  private static final long MILLIS_LEFT = 100_000;

  /** Fails if {@code FillWaiters.add} looks at the order before it has entered the waiter alone. */
  @Test
  @DisplayName("An order that ends between the first look at it and the entry of who waits is noticed")
  void endsMeanwhile() {
    Book book = new Book();
    UUID id = UUID.randomUUID();
    book.place(new Order(new NewOrder(id, "ACME", Side.BUY, 1, new MarketOrder()), "alice", OrderState.NEW, 0,
        Instant.now(), Optional.empty()));
    RpcCall call = (RpcCall) Proxy.newProxyInstance(RpcCall.class.getClassLoader(), new Class<?>[] {RpcCall.class},
        (self, method, arguments) -> {
          if (method.getName().equals("millisLeft")) {
            book.cancel(id);
            return MILLIS_LEFT;
          }
          return null;
        });
    Vertx vertx = Vertx.vertx();
    try {
      assertThat(await(new FillWaiters(vertx).add(call, book, id)).state()).isEqualTo(OrderState.CANCELED);
    } finally {
      await(vertx.close());
    }
  }
}
