// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.desk.command;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.Cancellation;
import dev.rpcrdma.api.RpcCancelledException;
import dev.rpcrdma.api.RpcRejectedException;
import dev.rpcrdma.examples.desk.Fill;
import dev.rpcrdma.examples.desk.LimitOrder;
import dev.rpcrdma.examples.desk.MarketOrder;
import dev.rpcrdma.examples.desk.NewOrder;
import dev.rpcrdma.examples.desk.Order;
import dev.rpcrdma.examples.desk.OrderType;
import dev.rpcrdma.examples.desk.Quote;
import dev.rpcrdma.examples.desk.Side;
import dev.rpcrdma.examples.desk.TimeInForce;
import dev.rpcrdma.examples.desk.TimedOrder;
import dev.rpcrdma.examples.desk.client.DeskClient;
import dev.rpcrdma.examples.desk.keys.Identity;
import dev.rpcrdma.examples.desk.server.DeskVerticle;
import dev.rpcrdma.examples.desk.server.Exchange;
import dev.rpcrdma.examples.desk.server.LimitCheck;
import dev.rpcrdma.tools.command.Futures;
import dev.rpcrdma.tools.command.Table;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.serviceproxy.ServiceException;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** A day at the desk: what is done, and what comes of it. Blocks. */
final class DeskScript {

  private static final String HOST = "127.0.0.1";
  private static final String SYMBOL = "ACME";
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(20);

  private final Vertx vertx;
  private final Identity desk;
  private final Identity alice;
  private final Table table;
  private final Exchange exchange = new Exchange();
  private final HeardEvents heard = new HeardEvents();
  private DeskVerticle server;

  DeskScript(Vertx vertx, Identity desk, Identity alice, Table table) {
    this.vertx = vertx;
    this.desk = desk;
    this.alice = alice;
    this.table = table;
  }

  void play() throws Exception {
    open(0);
    DeskClient trader = new DeskClient(vertx, client(alice.clientTls(desk)), heard);
    DeskClient auditor =
        new DeskClient(vertx, client(Identity.trust(desk)).put("token", "bob's secret"), new HeardEvents());
    trade(trader);
    refuse(trader, auditor);
    giveUp(trader);
    restart(trader);
    Futures.await(auditor.desk().positions()).forEach(position ->
        table.row("bob reads", position.quantity() + " " + position.symbol() + " for " + position.paid()));
    Futures.await(trader.close());
    Futures.await(auditor.close());
    table.line("the desk is closed");
  }

  private void open(int port) throws Exception {
    JsonObject config = new JsonObject().put("host", HOST).put("port", port)
        .put("options", Identity.options(desk.serverTls("REQUEST", alice))
            .put("timeouts", new JsonObject().put("drainTimeout", 100)))
        .put("roles", new JsonObject().put("CN=alice", "TRADER").put("bob", "AUDITOR"))
        .put("tokens", new JsonObject().put("bob's secret", "bob"));
    server = new DeskVerticle(exchange, new LimitCheck());
    Futures.await(vertx.deployVerticle(server, new DeploymentOptions().setConfig(config)));
    table.row("the desk", port == 0 ? "listens, with TLS" : "listens again");
  }

  private JsonObject client(JsonObject tls) {
    return new JsonObject().put("host", HOST).put("port", server.port()).put("tenant", "blue")
        .put("options", Identity.options(tls)
            .put("reconnect", new JsonObject().put("reconnectDelay", 50).put("maxReconnectDelay", 200)));
  }

  private void quote(String bid, String ask, long size) {
    exchange.quote(new Quote(SYMBOL, new BigDecimal(bid), new BigDecimal(ask), size, Instant.now()));
  }

  private static NewOrder buy(long quantity, OrderType type) {
    return new NewOrder(UUID.randomUUID(), SYMBOL, Side.BUY, quantity, type);
  }

  private static LimitOrder atMost(String price) {
    return new LimitOrder(new BigDecimal(price));
  }

  private void trade(DeskClient trader) throws Exception {
    Futures.await(trader.watch(Set.of(SYMBOL)));
    quote("99.50", "100.50", 60);
    table.row("alice hears", "ACME at " + heard.next(Quote.class).ask());
    Order order = Futures.await(trader.place(buy(100, atMost("101"))));
    table.row("alice places", "100 ACME at 101 at most: " + order.state() + ", " + order.filled());
    hearFill();
    quote("99.60", "100.75", 100);
    hearFill();
    Order rest = Futures.await(trader.deskV2().place(new TimedOrder(buy(150, new MarketOrder()),
        TimeInForce.IMMEDIATE_OR_CANCEL, Optional.empty())));
    table.row("alice, version 2", "150 ACME at once: " + rest.state() + ", " + rest.filled());
    hearFill();
  }

  private void hearFill() throws Exception {
    Fill fill = heard.next(Fill.class);
    table.row("alice hears", "filled " + fill.quantity() + " at " + fill.price());
  }

  private void refuse(DeskClient trader, DeskClient auditor) throws Exception {
    ServiceException exceeded = failure(trader.place(buy(1_000_000, atMost("101"))), ServiceException.class);
    table.row("refused", exceeded.failureCode() + " " + exceeded.getMessage() + " " + exceeded.getDebugInfo());
    ServiceException unknown = failure(trader.desk().order(new UUID(0, 7)), ServiceException.class);
    table.row("refused", unknown.failureCode() + " " + unknown.getMessage());
    RpcRejectedException weak = failure(auditor.place(buy(1, new MarketOrder())), RpcRejectedException.class);
    table.row("bob is refused", weak.authStatus().map(Enum::name).orElse("none"));
  }

  private void giveUp(DeskClient trader) throws Exception {
    Order order = Futures.await(trader.place(buy(10, atMost("50"))));
    Cancellation cancellation = Cancellation.create();
    Future<Order> waiting =
        trader.waitForFill(order.terms().id(), CallOptions.DEFAULT.withCancellation(cancellation));
    // A later answer says that the desk has got the call before it.
    Futures.await(trader.desk().limit());
    table.row("calls that wait", server.waiting());
    cancellation.cancel();
    failure(waiting, RpcCancelledException.class);
    long begun = System.nanoTime();
    while (server.waiting() > 0) {
      if (System.nanoTime() - begun > LONGEST_WAIT.toNanos()) {
        throw new IllegalStateException("The desk waits for a caller who has gone");
      }
      Futures.await(trader.desk().limit());
    }
    table.row("alice gives up", server.waiting());
    Futures.await(trader.desk().cancel(order.terms().id()));
  }

  private void restart(DeskClient trader) throws Exception {
    Order order = Futures.await(trader.place(buy(25, atMost("90"))));
    Future<Order> waiting = trader.waitForFill(order.terms().id(), CallOptions.DEFAULT);
    Futures.await(trader.desk().limit());
    int port = server.port();
    Futures.await(vertx.undeploy(server.deploymentID()));
    table.row("the desk", "is gone");
    open(port);
    table.row("alice hears", "ACME at " + heard.next(Quote.class).ask() + ", as her client has subscribed again");
    quote("89.00", "89.50", 100);
    Order filled = Futures.await(waiting);
    table.row("alice waited", "25 ACME: " + filled.state());
    hearFill();
  }

  private static <T extends Throwable> T failure(Future<?> call, Class<T> type) throws Exception {
    return Futures.await(call.transform(outcome -> type.isInstance(outcome.cause())
        ? Future.succeededFuture(type.cast(outcome.cause()))
        : Future.failedFuture(new IOException("Expected " + type.getSimpleName() + ", not " + outcome))));
  }
}
