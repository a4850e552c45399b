// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.desk.server;

import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcUser;
import dev.rpcrdma.examples.desk.Desk;
import dev.rpcrdma.examples.desk.DeskEvents;
import dev.rpcrdma.examples.desk.DeskFailures;
import dev.rpcrdma.examples.desk.DeskV2;
import dev.rpcrdma.examples.desk.Fill;
import dev.rpcrdma.examples.desk.LimitOrder;
import dev.rpcrdma.examples.desk.NewOrder;
import dev.rpcrdma.examples.desk.Order;
import dev.rpcrdma.examples.desk.OrderState;
import dev.rpcrdma.examples.desk.Position;
import dev.rpcrdma.examples.desk.Quote;
import dev.rpcrdma.examples.desk.Side;
import dev.rpcrdma.examples.desk.TimeInForce;
import dev.rpcrdma.examples.desk.TimedOrder;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.serviceproxy.ServiceException;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Serves both versions of the desk, on the context that it was made on. */
public final class DeskService implements Desk, DeskV2, Exchange.Listener {

  private final Exchange exchange;
  private final RiskCheck risk;
  private final Context context;
  private final Subscribers subscribers;
  private final FillWaiters waiters;

  /**
   * Creates a service.
   *
   * @param vertx the instance it lives in
   * @param exchange what it shows
   * @param risk is asked before an order is placed
   */
  public DeskService(Vertx vertx, Exchange exchange, RiskCheck risk) {
    this.exchange = exchange;
    this.risk = risk;
    this.context = vertx.getOrCreateContext();
    this.subscribers = new Subscribers(context);
    this.waiters = new FillWaiters(vertx);
    exchange.add(this);
  }

  /** Hears no more of the exchange. */
  public void close() {
    exchange.remove(this);
  }

  /**
   * How many calls wait for a fill.
   *
   * @return calls that were neither answered nor given up
   */
  public int waiting() {
    return waiters.size();
  }

  private static String tenant() {
    String tenant = RpcCall.current().headers().get(TENANT);
    if (tenant == null) {
      throw new ServiceException(DeskFailures.NO_TENANT, "The call has no header '" + TENANT + "'");
    }
    return tenant;
  }

  private static String user() {
    return RpcCall.current().user().map(RpcUser::name).orElse("");
  }

  private Book book() {
    return exchange.book(tenant());
  }

  // Orders

  @Override
  public Future<Order> place(NewOrder order) {
    return place(new TimedOrder(order, TimeInForce.GOOD_TILL_CANCEL, Optional.empty()));
  }

  @Override
  public Future<Order> place(TimedOrder order) {
    String tenant = tenant();
    Book book = exchange.book(tenant);
    Order wanted = order(order.order(), order.goodFor());
    UUID id = order.order().id();
    Future<Void> placed = book.placed(wanted).isPresent() ? Future.succeededFuture()
        : admit(order.order(), book.open(), book.limit()).map(admitted -> {
          // The same order may have been placed while this one was judged.
          if (book.place(wanted)) {
            match(tenant, wanted);
          }
          return null;
        });
    return placed.map(there -> {
      if (order.timeInForce() == TimeInForce.IMMEDIATE_OR_CANCEL) {
        book.finish(id);
        exchange.changed(tenant, List.of());
      }
      return book.order(id);
    });
  }

  @Override
  public Future<Order> replace(UUID id, NewOrder order) {
    String tenant = tenant();
    Book book = exchange.book(tenant);
    Order wanted = order(order, Optional.empty());
    List<Order> others = book.open().stream()
        .filter(each -> !each.terms().id().equals(id) && !each.terms().id().equals(order.id())).toList();
    Future<Void> replaced = book.replaced(id, wanted).isPresent() ? Future.succeededFuture()
        : admit(order, others, book.limit()).map(admitted -> {
          if (book.replace(id, wanted)) {
            match(tenant, wanted);
          }
          exchange.changed(tenant, List.of());
          return null;
        });
    return replaced.map(there -> book.order(order.id()));
  }

  private static Order order(NewOrder terms, Optional<Duration> goodFor) {
    Instant now = Instant.now();
    return new Order(terms, user(), OrderState.NEW, 0, now, goodFor.map(now::plus));
  }

  private Future<Void> admit(NewOrder order, List<Order> others, BigDecimal limit) {
    return risk.admit(order, price(order), others, limit);
  }

  private BigDecimal price(NewOrder order) {
    if (order.type() instanceof LimitOrder limited) {
      return limited.price();
    }
    return exchange.quote(order.symbol()).map(quote -> order.side() == Side.BUY ? quote.ask() : quote.bid())
        .orElse(BigDecimal.ZERO);
  }

  private void match(String tenant, Order order) {
    exchange.quote(order.terms().symbol()).ifPresent(quote -> exchange.match(tenant, quote));
  }

  @Override
  public Future<Order> cancel(UUID id) {
    String tenant = tenant();
    Order order = exchange.book(tenant).cancel(id);
    exchange.changed(tenant, List.of());
    return Future.succeededFuture(order);
  }

  @Override
  public Future<Order> waitForFill(UUID id) {
    return waiters.add(RpcCall.current(), book(), id);
  }

  // What only looks

  @Override
  public Future<Order> order(UUID id) {
    return Future.succeededFuture(book().order(id));
  }

  @Override
  public Future<List<Order>> openOrders() {
    return Future.succeededFuture(book().open());
  }

  @Override
  public Future<List<Fill>> fills(UUID id) {
    return Future.succeededFuture(book().fills(id));
  }

  @Override
  public Future<Optional<Quote>> quote(String symbol) {
    return Future.succeededFuture(exchange.quote(symbol));
  }

  @Override
  public Future<List<String>> symbols() {
    return Future.succeededFuture(exchange.symbols());
  }

  @Override
  public Future<List<Position>> positions() {
    return Future.succeededFuture(book().positions());
  }

  // The limit

  @Override
  public Future<BigDecimal> limit() {
    return Future.succeededFuture(book().limit());
  }

  @Override
  public Future<Void> setLimit(BigDecimal limit) {
    book().setLimit(limit);
    return Future.succeededFuture();
  }

  // Events

  @Override
  public Future<Void> subscribe(Set<String> symbols) {
    RpcConnection connection = RpcCall.current().connection();
    Object client = connection.peerInstance().<Object>map(instance -> instance).orElse(connection);
    subscribers.put(client, new Subscriber(tenant(), user(), symbols, connection.peer().proxy(DeskEvents.class)));
    symbols.forEach(symbol -> exchange.quote(symbol).ifPresent(quote -> subscribers.quoted(client, quote)));
    return Future.succeededFuture();
  }

  @Override
  public void quoted(Quote quote) {
    subscribers.quoted(quote);
  }

  @Override
  public void changed(String tenant, List<Fill> fills) {
    Book book = exchange.book(tenant);
    fills.forEach(fill -> subscribers.filled(tenant, book.order(fill.order()).trader(), fill));
    context.runOnContext(none -> waiters.look());
  }
}
