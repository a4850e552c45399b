// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.desk.server;

import dev.rpcrdma.examples.desk.Fill;
import dev.rpcrdma.examples.desk.Quote;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Quotes, and the books of all tenants. Thread-safe, as it outlives the servers that show it. */
public final class Exchange {

  /** Hears what happens, on whatever thread it happens. */
  interface Listener {

    void quoted(Quote quote);

    void changed(String tenant, List<Fill> fills);
  }

  private final Map<String, Quote> quotes = new ConcurrentSkipListMap<>();
  private final Map<String, Book> books = new ConcurrentHashMap<>();
  private final List<Listener> listeners = new CopyOnWriteArrayList<>();

  /** An exchange where nothing has happened. */
  public Exchange() {}

  /**
   * Moves the market: orders are filled, and clients hear of it.
   *
   * @param quote what it says now
   */
  public void quote(Quote quote) {
    quotes.put(quote.symbol(), quote);
    listeners.forEach(listener -> listener.quoted(quote));
    books.keySet().forEach(tenant -> match(tenant, quote));
  }

  /** Fills what a tenant's open orders allow. */
  void match(String tenant, Quote quote) {
    changed(tenant, book(tenant).match(quote));
  }

  /** Notifies all servers that a tenant's orders have changed. Some may have ended without a fill. */
  void changed(String tenant, List<Fill> fills) {
    listeners.forEach(listener -> listener.changed(tenant, fills));
  }

  Optional<Quote> quote(String symbol) {
    return Optional.ofNullable(quotes.get(symbol));
  }

  List<String> symbols() {
    return List.copyOf(quotes.keySet());
  }

  Book book(String tenant) {
    return books.computeIfAbsent(tenant, name -> new Book());
  }

  void add(Listener listener) {
    listeners.add(listener);
  }

  void remove(Listener listener) {
    listeners.remove(listener);
  }
}
