// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.desk;

import static dev.rpcrdma.examples.desk.Orders.buy;
import static dev.rpcrdma.testkit.Waiting.await;
import static dev.rpcrdma.testkit.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.junit5.RpcTestExtension;
import dev.rpcrdma.examples.desk.server.DeskService;
import dev.rpcrdma.examples.desk.server.Exchange;
import dev.rpcrdma.examples.desk.server.LimitCheck;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Calls that wait for an order which ends without a trade. There is no quote: nothing else wakes them. */
@ExtendWith(RpcTestExtension.class)
class FillWaitersTest {

  private static final CallOptions BLUE = CallOptions.DEFAULT.withHeader("tenant", "blue");

  private final Exchange exchange = new Exchange();
  private final NewOrder order = buy(10, "100");
  private Desk desk;
  private DeskV2 deskV2;
  private Future<Order> waiting;

  @BeforeEach
  void open(Vertx vertx, RpcServer server, RpcChannel channel) {
    DeskService service = new DeskService(vertx, exchange, new LimitCheck());
    server.bind(Desk.class, service).bind(DeskV2.class, service);
    desk = channel.proxy(Desk.class, BLUE);
    deskV2 = channel.proxy(DeskV2.class, BLUE);
    await(desk.place(order));
    waiting = desk.waitForFill(order.id());
    until(() -> service.waiting() == 1);
  }

  /** Fails if {@code DeskService.cancel} does not look for who waits. */
  @Test
  @DisplayName("Who waits for an order hears that it is canceled")
  void canceled() {
    assertThat(await(desk.cancel(order.id()))).isEqualTo(await(waiting));
  }

  /** Fails if {@code DeskService.cancel} looks for who waits at its own server alone. */
  @Test
  @DisplayName("Who waits for an order at one server hears that it is canceled at another one")
  void canceledElsewhere(Vertx vertx, RpcClient client) {
    RpcServer other = RpcServer.create(vertx).bind(Desk.class, new DeskService(vertx, exchange, new LimitCheck()));
    await(other.listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
    RpcChannel there = client.channel(SocketAddress.inetSocketAddress(other.actualPort(), "127.0.0.1"));
    assertThat(await(there.proxy(Desk.class, BLUE).cancel(order.id()))).isEqualTo(await(waiting));
  }

  /** Fails if {@code DeskService.replace} does not look for who waits. */
  @Test
  @DisplayName("Who waits for an order hears that another has taken its place")
  void replaced() {
    await(deskV2.replace(order.id(), buy(10, "101")));
    assertThat(await(waiting).state()).isEqualTo(OrderState.CANCELED);
  }

  /** Fails if {@code DeskService.place} does not look for who waits. */
  @Test
  @DisplayName("Who waits for an order hears that it is placed again for now alone, which ends it")
  void placedForNow() {
    await(deskV2.place(new TimedOrder(order, TimeInForce.IMMEDIATE_OR_CANCEL, Optional.empty())));
    assertThat(await(waiting).state()).isEqualTo(OrderState.CANCELED);
  }
}
