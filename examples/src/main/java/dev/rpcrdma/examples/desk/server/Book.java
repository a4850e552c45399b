// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.desk.server;

import dev.rpcrdma.examples.desk.DeskFailures;
import dev.rpcrdma.examples.desk.Fill;
import dev.rpcrdma.examples.desk.LimitOrder;
import dev.rpcrdma.examples.desk.NewOrder;
import dev.rpcrdma.examples.desk.Order;
import dev.rpcrdma.examples.desk.OrderState;
import dev.rpcrdma.examples.desk.Position;
import dev.rpcrdma.examples.desk.Quote;
import dev.rpcrdma.examples.desk.Side;
import io.vertx.core.json.JsonObject;
import io.vertx.serviceproxy.ServiceException;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

/** The orders, trades and positions of one tenant. Thread-safe, as it outlives the servers that show it. */
final class Book {

  private static final BigDecimal FIRST_LIMIT = new BigDecimal(1_000_000);

  private final Map<UUID, Order> orders = new LinkedHashMap<>();
  private final Map<UUID, List<Fill>> fills = new LinkedHashMap<>();
  private final Map<String, Position> positions = new TreeMap<>();
  private BigDecimal limit = FIRST_LIMIT;

  synchronized BigDecimal limit() {
    return limit;
  }

  synchronized void setLimit(BigDecimal value) {
    limit = value;
  }

  synchronized Order order(UUID id) {
    Order order = orders.get(id);
    if (order == null) {
      throw new ServiceException(DeskFailures.NO_SUCH_ORDER, "There is no order " + id);
    }
    return order;
  }

  synchronized List<Order> open() {
    return orders.values().stream().filter(order -> !order.state().done()).toList();
  }

  synchronized List<Fill> fills(UUID id) {
    order(id);
    return List.copyOf(fills.getOrDefault(id, List.of()));
  }

  synchronized List<Position> positions() {
    return List.copyOf(positions.values());
  }

  /** Finds an order that was placed before, maybe by a call whose answer was lost. */
  synchronized Optional<Order> placed(Order order) {
    Optional<Order> known = Optional.ofNullable(orders.get(order.terms().id()));
    if (known.isPresent()
        && !(known.get().terms().equals(order.terms()) && known.get().trader().equals(order.trader()))) {
      throw new ServiceException(DeskFailures.ID_TAKEN, "Another order has the id " + order.terms().id());
    }
    return known;
  }

  /** Finds an order that has taken another's place before; fails if it cannot take it now. */
  synchronized Optional<Order> replaced(UUID id, Order order) {
    Order old = order(id);
    Optional<Order> known = placed(order);
    if (known.isPresent() && (old.state() == OrderState.CANCELED || known.get() == old)) {
      return known;
    }
    if (old.state().done()) {
      throw done(old);
    }
    return Optional.empty();
  }

  /** Places an order, and tells whether it was not there already. */
  synchronized boolean place(Order order) {
    boolean first = placed(order).isEmpty();
    if (first) {
      orders.put(order.terms().id(), order);
    }
    return first;
  }

  /** Places an order and cancels another one, unless that has happened already; tells whether it was not there. */
  synchronized boolean replace(UUID id, Order order) {
    if (replaced(id, order).isPresent()) {
      return false;
    }
    boolean first = place(order);
    Order old = order(id);
    change(old, OrderState.CANCELED, old.filled());
    return first;
  }

  /** Cancels an order; one that is canceled already stays so. */
  synchronized Order cancel(UUID id) {
    Order order = order(id);
    if (order.state() == OrderState.FILLED) {
      throw done(order);
    }
    return change(order, OrderState.CANCELED, order.filled());
  }

  /** Cancels what is not filled of an order, if anything is. */
  synchronized Order finish(UUID id) {
    Order order = order(id);
    return order.state().done() ? order : change(order, OrderState.CANCELED, order.filled());
  }

  private static ServiceException done(Order order) {
    return new ServiceException(DeskFailures.ORDER_DONE,
        "The order " + order.terms().id() + " is " + order.state() + " already",
        new JsonObject().put("state", order.state().name()));
  }

  /** Cancels what has had its time, and makes the trades that a quote allows. */
  synchronized List<Fill> match(Quote quote) {
    List<Fill> made = new ArrayList<>();
    long left = quote.size();
    for (Order order : open()) {
      if (order.expires().isPresent() && !quote.time().isBefore(order.expires().get())) {
        change(order, OrderState.CANCELED, order.filled());
      } else if (left > 0 && order.terms().symbol().equals(quote.symbol())) {
        Optional<BigDecimal> price = price(order.terms(), quote);
        if (price.isPresent()) {
          Fill fill = fill(order, Math.min(left, order.open()), price.get(), quote.time());
          made.add(fill);
          left -= fill.quantity();
        }
      }
    }
    return made;
  }

  /** For how much a quote lets an order be filled. */
  private static Optional<BigDecimal> price(NewOrder order, Quote quote) {
    BigDecimal price = order.side() == Side.BUY ? quote.ask() : quote.bid();
    if (order.type() instanceof LimitOrder limited) {
      int compared = price.compareTo(limited.price());
      return (order.side() == Side.BUY ? compared <= 0 : compared >= 0) ? Optional.of(price) : Optional.empty();
    }
    return Optional.of(price);
  }

  private Fill fill(Order order, long quantity, BigDecimal price, Instant time) {
    NewOrder terms = order.terms();
    Fill fill = new Fill(terms.id(), terms.symbol(), terms.side(), quantity, price, time);
    fills.computeIfAbsent(terms.id(), id -> new ArrayList<>()).add(fill);
    positions.put(terms.symbol(),
        positions.getOrDefault(terms.symbol(), new Position(terms.symbol(), 0, BigDecimal.ZERO)).with(fill));
    long filled = order.filled() + quantity;
    change(order, filled == terms.quantity() ? OrderState.FILLED : OrderState.PARTIALLY_FILLED, filled);
    return fill;
  }

  private Order change(Order order, OrderState state, long filled) {
    Order changed =
        new Order(order.terms(), order.trader(), state, filled, order.placed(), order.expires());
    orders.put(order.terms().id(), changed);
    return changed;
  }
}
