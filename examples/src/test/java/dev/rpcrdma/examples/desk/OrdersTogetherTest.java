// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.desk;

import static dev.rpcrdma.examples.desk.Orders.buy;
import static dev.rpcrdma.examples.desk.Orders.order;
import static dev.rpcrdma.examples.desk.Orders.quote;
import static dev.rpcrdma.testkit.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.junit5.RpcTestExtension;
import dev.rpcrdma.examples.desk.server.DeskService;
import dev.rpcrdma.examples.desk.server.Exchange;
import dev.rpcrdma.examples.desk.server.LimitCheck;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Orders that are judged at the same time, as the risk check takes its time. */
@ExtendWith(RpcTestExtension.class)
class OrdersTogetherTest {

  private static final CallOptions BLUE = CallOptions.DEFAULT.withHeader("tenant", "blue");

  private final Exchange exchange = new Exchange();
  /** Ends judgements once so many wait. */
  private int together = 1;
  private Desk desk;
  private DeskV2 deskV2;

  @BeforeEach
  void open(Vertx vertx, RpcServer server, RpcChannel channel) {
    List<Promise<Void>> waiting = new ArrayList<>();
    LimitCheck limit = new LimitCheck();
    DeskService service = new DeskService(vertx, exchange, (order, price, open, most) -> {
      Promise<Void> judged = Promise.promise();
      waiting.add(judged);
      if (waiting.size() == together) {
        List.copyOf(waiting).forEach(Promise::complete);
        waiting.clear();
      }
      return judged.future().compose(none -> limit.admit(order, price, open, most));
    });
    server.bind(Desk.class, service).bind(DeskV2.class, service);
    desk = channel.proxy(Desk.class, BLUE);
    deskV2 = channel.proxy(DeskV2.class, BLUE);
  }

  private static List<Order> twice(Supplier<Future<Order>> call) {
    Future<Order> one = call.get();
    Future<Order> other = call.get();
    return List.of(await(one), await(other));
  }

  /** Fails if {@code DeskService.place} matches an order that was placed while it was judged. */
  @Test
  @DisplayName("An order that is placed twice at a time is filled once")
  void placedTogether() {
    exchange.quote(quote("1", "2", 60));
    NewOrder order = order(Side.BUY, 100, new MarketOrder());
    together = 2;
    assertThat(twice(() -> desk.place(order))).extracting(Order::filled).containsExactly(60L, 60L);
    assertThat(await(desk.fills(order.id()))).hasSize(1);
  }

  /** Fails if {@code DeskService.replace} matches an order that has taken the other's place while it was judged. */
  @Test
  @DisplayName("An order that is replaced twice at a time has its replacement filled once")
  void replacedTogether() {
    NewOrder old = buy(100, "1");
    await(desk.place(old));
    exchange.quote(quote("1", "2", 60));
    NewOrder better = buy(100, "2");
    together = 2;
    assertThat(twice(() -> deskV2.replace(old.id(), better))).extracting(Order::filled).containsExactly(60L, 60L);
    assertThat(await(desk.order(old.id())).state()).isEqualTo(OrderState.CANCELED);
  }

  /** Fails if {@code DeskService.replace} counts an order twice, or offers the quote again, that is there already. */
  @Test
  @DisplayName("An order may take another's place though it is there already: it counts once, and is filled once")
  void replacedByAnother() {
    exchange.quote(quote("1", "100", 60));
    NewOrder old = buy(10, "1");
    NewOrder large = buy(6_000, "100");
    await(desk.place(old));
    await(desk.place(large));
    assertThat(await(deskV2.replace(old.id(), large)).filled()).isEqualTo(60);
    assertThat(await(desk.openOrders())).extracting(Order::terms).containsExactly(large);
  }

  /** Fails if {@code DeskService.place} ends what is not filled of an order before it is placed. */
  @Test
  @DisplayName("An order for now that is placed twice at a time is canceled once, with what is filled")
  void atOnceTogether() {
    exchange.quote(quote("1", "2", 60));
    TimedOrder order = new TimedOrder(order(Side.BUY, 100, new MarketOrder()), TimeInForce.IMMEDIATE_OR_CANCEL,
        Optional.empty());
    together = 2;
    assertThat(twice(() -> deskV2.place(order))).extracting(Order::state, Order::filled)
        .containsOnly(tuple(OrderState.CANCELED, 60L));
  }
}
