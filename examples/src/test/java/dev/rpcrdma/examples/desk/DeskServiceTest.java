// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.desk;

import static dev.rpcrdma.examples.desk.Orders.ACME;
import static dev.rpcrdma.examples.desk.Orders.buy;
import static dev.rpcrdma.examples.desk.Orders.order;
import static dev.rpcrdma.examples.desk.Orders.quote;
import static dev.rpcrdma.testkit.Waiting.await;
import static dev.rpcrdma.testkit.Waiting.awaitFailure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcEncodingException;
import dev.rpcrdma.api.RpcRejectedException;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.ServiceBinding;
import dev.rpcrdma.api.junit5.RpcTestExtension;
import dev.rpcrdma.examples.desk.server.DeskService;
import dev.rpcrdma.examples.desk.server.Exchange;
import dev.rpcrdma.examples.desk.server.LimitCheck;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.SocketAddress;
import io.vertx.serviceproxy.ServiceException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The service of the desk as its clients see it: records, two versions, and failures with their codes. */
@ExtendWith(RpcTestExtension.class)
class DeskServiceTest {

  private static final CallOptions BLUE = CallOptions.DEFAULT.withHeader("tenant", "blue");

  private final Exchange exchange = new Exchange();
  private RpcChannel channel;
  private Desk desk;
  private DeskV2 deskV2;

  @BeforeEach
  void open(Vertx vertx, RpcServer server, RpcChannel made) {
    DeskService service = new DeskService(vertx, exchange, new LimitCheck());
    server.bind(Desk.class, service).bind(DeskV2.class, service);
    channel = made;
    desk = channel.proxy(Desk.class, BLUE);
    deskV2 = channel.proxy(DeskV2.class, BLUE);
  }

  private static void assertFails(Future<?> call, int code, JsonObject debugInfo) {
    assertThat(awaitFailure(call)).isInstanceOfSatisfying(ServiceException.class, failure -> {
      assertThat(failure.failureCode()).isEqualTo(code);
      assertThat(failure.getDebugInfo()).isEqualTo(debugInfo);
    });
  }

  @Test
  @DisplayName("Orders, trades and positions arrive as they are, to the last digit")
  void records() {
    exchange.quote(quote("99.5", "100.250", 60));
    assertThat(await(desk.symbols())).containsExactly(ACME);
    assertThat(await(desk.quote(ACME))).contains(quote("99.5", "100.250", 60));
    assertThat(await(desk.quote("NONE"))).isEmpty();
    NewOrder terms = buy(100, "101.00");
    Order placed = await(desk.place(terms));
    assertThat(placed.terms()).isEqualTo(terms);
    assertThat(placed.state()).isEqualTo(OrderState.PARTIALLY_FILLED);
    assertThat(placed.open()).isEqualTo(40);
    assertThat(await(desk.fills(terms.id()))).containsExactly(
        new Fill(terms.id(), ACME, Side.BUY, 60, new BigDecimal("100.250"), quote("1", "1", 1).time()));
    NewOrder sale = order(Side.SELL, 10, new MarketOrder());
    assertThat(await(desk.place(sale)).terms().type()).isEqualTo(new MarketOrder());
    assertThat(await(desk.positions())).containsExactly(new Position(ACME, 90, new BigDecimal("9030.000")));
    assertThat(await(desk.openOrders())).isEmpty();
  }

  @Test
  @DisplayName("Enums have the numbers of FIX on the wire, whatever their order")
  void numbers() {
    assertThat(ServiceBinding.of(Desk.class).interfaceDefinition()).contains("BUY = 1", "SELL = 2")
        .containsPattern("CANCELED\\w* = 4").containsPattern("case 2:\\s+LimitOrder");
  }

  @Test
  @DisplayName("One server serves both versions, on the same books")
  void versions() {
    TimedOrder timed = new TimedOrder(buy(5, "10"), TimeInForce.GOOD_TILL_CANCEL, Optional.of(Duration.ofHours(1)));
    Order placed = await(deskV2.place(timed));
    assertThat(placed.expires()).contains(placed.placed().plus(Duration.ofHours(1)));
    assertThat(await(desk.order(timed.order().id()))).isEqualTo(placed);
    NewOrder better = buy(5, "11");
    await(deskV2.replace(timed.order().id(), better));
    assertThat(await(desk.order(timed.order().id())).state()).isEqualTo(OrderState.CANCELED);
    assertThat(await(desk.openOrders())).extracting(Order::terms).containsExactly(better);
    Order atOnce = await(deskV2.place(
        new TimedOrder(buy(5, "12"), TimeInForce.IMMEDIATE_OR_CANCEL, Optional.empty())));
    assertThat(atOnce.state()).isEqualTo(OrderState.CANCELED);
  }

  @Test
  @DisplayName("Who calls a version that the server does not have is told which ones it has")
  void olderServer(Vertx vertx, RpcClient client) {
    RpcServer old = RpcServer.create(vertx).bind(Desk.class, new DeskService(vertx, exchange, new LimitCheck()));
    await(old.listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
    RpcChannel toOld = client.channel(SocketAddress.inetSocketAddress(old.actualPort(), "127.0.0.1"));
    Throwable failure = awaitFailure(toOld.proxy(DeskV2.class).symbols());
    assertThat(failure).isInstanceOfSatisfying(RpcRejectedException.class,
        e -> assertThat(e.acceptStatus()).contains(AcceptStatus.PROG_MISMATCH));
    assertThat(failure).hasMessageContaining("serves version 1").hasMessageContaining("DeskV2/symbols");
    assertThat(await(toOld.proxy(Desk.class).symbols())).isEmpty();
  }

  @Test
  @DisplayName("Failures arrive with their codes, messages and debug info")
  void failures() {
    UUID unknown = new UUID(0, 7);
    assertFails(desk.order(unknown), DeskFailures.NO_SUCH_ORDER, new JsonObject());
    assertThat(awaitFailure(desk.fills(unknown))).hasMessage("There is no order " + unknown);
    await(desk.setLimit(new BigDecimal("1000")));
    assertThat(await(desk.limit())).isEqualTo(new BigDecimal("1000"));
    await(desk.place(buy(10, "50")));
    assertFails(desk.place(buy(10, "50.01")), DeskFailures.LIMIT_EXCEEDED,
        new JsonObject().put("limit", "1000").put("wanted", "1000.10"));
    NewOrder filled = buy(1, "50");
    await(desk.place(filled));
    exchange.quote(quote("1", "2", 100));
    assertFails(desk.cancel(filled.id()), DeskFailures.ORDER_DONE, new JsonObject().put("state", "FILLED"));
    assertFails(desk.place(new NewOrder(filled.id(), ACME, Side.SELL, 1, new MarketOrder())),
        DeskFailures.ID_TAKEN, new JsonObject());
    assertFails(channel.proxy(Desk.class).limit(), DeskFailures.NO_TENANT, new JsonObject());
  }

  @Test
  @DisplayName("Tenants do not see each other's orders")
  void tenants() {
    NewOrder order = buy(1, "50");
    await(desk.place(order));
    Desk red = channel.proxy(Desk.class, CallOptions.DEFAULT.withHeader("tenant", "red"));
    assertThat(await(red.openOrders())).isEmpty();
    assertFails(red.cancel(order.id()), DeskFailures.NO_SUCH_ORDER, new JsonObject());
    assertThat(await(desk.openOrders())).hasSize(1);
  }

  @Test
  @DisplayName("A symbol that is too long, or null, is refused before it is sent, and the message names it")
  void bounds() {
    assertThat(awaitFailure(desk.quote("S".repeat(13)))).isInstanceOfSatisfying(RpcEncodingException.class,
        failure -> assertThat(failure.maybeExecuted()).isFalse())
        .hasMessageContaining("Desk/quote").hasMessageContaining("symbol has a length of 13");
    assertThat(awaitFailure(desk.quote(null))).isInstanceOf(RpcEncodingException.class)
        .hasMessageContaining("symbol");
  }
}
