// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.desk;

import dev.rpcrdma.examples.desk.client.DeskClientListener;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** What a client of the desk has heard, each kind in its order. */
final class HeardByClient implements DeskClientListener {

  private final BlockingQueue<Fill> fills = new LinkedBlockingQueue<>();
  private final BlockingQueue<Quote> quotes = new LinkedBlockingQueue<>();
  private final BlockingQueue<Boolean> online = new LinkedBlockingQueue<>();
  private final BlockingQueue<Throwable> failures = new LinkedBlockingQueue<>();

  @Override
  public Future<Void> filled(Fill fill) {
    fills.add(fill);
    return Future.succeededFuture();
  }

  @Override
  public Future<Void> quoted(Quote quote) {
    quotes.add(quote);
    return Future.succeededFuture();
  }

  @Override
  public void online(boolean value) {
    online.add(value);
  }

  @Override
  public void failed(Throwable cause) {
    failures.add(cause);
  }

  Fill fill() {
    return Waiting.next(fills);
  }

  Quote quote() {
    return Waiting.next(quotes);
  }

  boolean online() {
    return Waiting.next(online);
  }

  Throwable failure() {
    return Waiting.next(failures);
  }

  /** Whether there is a fill that nobody has asked for. */
  boolean moreFills() {
    return !fills.isEmpty();
  }
}
