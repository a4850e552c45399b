// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.desk.server;

import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.examples.desk.Order;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** The calls that wait until an order is done. */
final class FillWaiters {

  private record Waiter(Book book, UUID id, Promise<Order> outcome) {

    Order order() {
      return book.order(id);
    }
  }

  private final Vertx vertx;
  private final Set<Waiter> all = ConcurrentHashMap.newKeySet();

  FillWaiters(Vertx vertx) {
    this.vertx = vertx;
  }

  int size() {
    return all.size();
  }

  /** Waits for as long as the caller does, but for a tenth of it: the answer has to get there. */
  Future<Order> add(RpcCall call, Book book, UUID id) {
    Waiter waiter = new Waiter(book, id, Promise.promise());
    if (waiter.order().state().done()) {
      return Future.succeededFuture(waiter.order());
    }
    all.add(waiter);
    long timer = vertx.setTimer(Math.max(1, call.millisLeft() * 9 / 10), late -> end(waiter));
    waiter.outcome.future().onComplete(any -> vertx.cancelTimer(timer));
    call.abandonHandler(none -> end(waiter));
    // Another thread may have ended the order before it could see the waiter.
    look();
    return waiter.outcome.future();
  }

  /** Ends the waiting for what is done by now. */
  void look() {
    List.copyOf(all).stream().filter(waiter -> waiter.order().state().done()).forEach(this::end);
  }

  private void end(Waiter waiter) {
    if (all.remove(waiter)) {
      waiter.outcome.complete(waiter.order());
    }
  }
}
