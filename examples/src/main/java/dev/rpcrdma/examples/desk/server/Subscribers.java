// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.desk.server;

import dev.rpcrdma.examples.desk.DeskEvents;
import dev.rpcrdma.examples.desk.Fill;
import dev.rpcrdma.examples.desk.Quote;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The clients that are called back, by what tells one client from another. Thread-safe.
 *
 * <p>Calls them on the context of the server and not on that of the call that has caused it: what is called there is a
 * part of that call, and ends with it.
 */
final class Subscribers {

  private final Context context;
  private final Map<Object, Subscriber> all = new ConcurrentHashMap<>();

  Subscribers(Context context) {
    this.context = context;
  }

  void put(Object client, Subscriber subscriber) {
    all.put(client, subscriber);
  }

  void quoted(Object client, Quote quote) {
    call(key -> key.equals(client), subscriber -> true, events -> events.quoted(quote));
  }

  void quoted(Quote quote) {
    call(key -> true, subscriber -> subscriber.symbols().contains(quote.symbol()), events -> events.quoted(quote));
  }

  void filled(String tenant, String trader, Fill fill) {
    call(key -> true, subscriber -> subscriber.tenant().equals(tenant) && subscriber.user().equals(trader),
        events -> events.filled(fill));
  }

  private void call(Predicate<Object> client, Predicate<Subscriber> which, Function<DeskEvents, Future<Void>> event) {
    context.runOnContext(none -> all.forEach((key, subscriber) -> {
      if (client.test(key) && which.test(subscriber)) {
        event.apply(subscriber.events()).onFailure(gone -> all.remove(key, subscriber));
      }
    }));
  }
}
