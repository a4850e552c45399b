// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.desk;

import static dev.rpcrdma.examples.desk.Orders.buy;
import static dev.rpcrdma.examples.desk.Orders.order;
import static dev.rpcrdma.examples.desk.Orders.quote;
import static dev.rpcrdma.testkit.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.junit5.RpcTestExtension;
import dev.rpcrdma.examples.desk.server.DeskService;
import dev.rpcrdma.examples.desk.server.Exchange;
import dev.rpcrdma.examples.desk.server.LimitCheck;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Vertx;
import io.vertx.serviceproxy.ServiceException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Orders that are placed again, or replaced, and the limit. */
@ExtendWith(RpcTestExtension.class)
class OrdersAgainTest {

  private static final CallOptions BLUE = CallOptions.DEFAULT.withHeader("tenant", "blue");

  private final Exchange exchange = new Exchange();
  private Desk desk;
  private DeskV2 deskV2;

  @BeforeEach
  void open(Vertx vertx, RpcServer server, RpcChannel channel) {
    DeskService service = new DeskService(vertx, exchange, new LimitCheck());
    server.bind(Desk.class, service).bind(DeskV2.class, service);
    desk = channel.proxy(Desk.class, BLUE);
    deskV2 = channel.proxy(DeskV2.class, BLUE);
  }

  /** Fails if {@code DeskService.place} asks the risk check before the book: the order counts twice. */
  @Test
  @DisplayName("An order that is there already is answered as it is, though its like would exceed the limit")
  void placedAgain() {
    NewOrder large = buy(6_000, "100");
    Order placed = await(desk.place(large));
    assertThat(await(desk.place(large))).isEqualTo(placed);
  }

  /** Fails if {@code DeskService.replace} counts the order that is canceled by it. */
  @Test
  @DisplayName("An order may be replaced if all open orders come to no more than the limit then")
  void replaced() {
    NewOrder large = buy(6_000, "100");
    await(desk.place(large));
    NewOrder better = buy(6_000, "101");
    assertThat(await(deskV2.replace(large.id(), better)).terms()).isEqualTo(better);
  }

  /** Fails if {@code Book.replaced} takes an order that was replaced for one that is done. */
  @Test
  @DisplayName("An order that was replaced already is answered with what has taken its place, which trades once")
  void replacedAgain() {
    NewOrder old = buy(10, "100");
    await(desk.place(old));
    NewOrder better = buy(10, "101");
    Order first = await(deskV2.replace(old.id(), better));
    assertThat(await(deskV2.replace(old.id(), better))).isEqualTo(first);
    assertThat(await(desk.openOrders())).containsExactly(first);
  }

  /** Fails if {@code Book.replaced} takes an order that is filled for one that was replaced. */
  @Test
  @DisplayName("An order that is filled is not replaced, even if what is to take its place is there")
  void filledAlready() {
    NewOrder old = buy(10, "100");
    await(desk.place(old));
    exchange.quote(quote("1", "100", 10));
    NewOrder better = buy(10, "90");
    await(desk.place(better));
    assertThat(Waiting.awaitFailure(deskV2.replace(old.id(), better))).isInstanceOfSatisfying(ServiceException.class,
        failure -> assertThat(failure.failureCode()).isEqualTo(DeskFailures.ORDER_DONE));
  }

  /** Fails if {@code Book.replaced} lets an order take its own place: it would be canceled. */
  @Test
  @DisplayName("An order that is replaced by itself stays")
  void replacedByItself() {
    NewOrder only = buy(10, "100");
    Order placed = await(desk.place(only));
    assertThat(await(deskV2.replace(only.id(), only))).isEqualTo(placed);
  }

  /** Fails if {@code DeskService.place} offers the quote to an order again that is there already. */
  @Test
  @DisplayName("An order that is placed again is not filled again")
  void filledOnce() {
    exchange.quote(quote("1", "2", 60));
    NewOrder order = order(Side.BUY, 100, new MarketOrder());
    await(desk.place(order));
    assertThat(await(desk.place(order)).filled()).isEqualTo(60);
  }
}
