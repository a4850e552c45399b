// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.desk.command;

import dev.rpcrdma.examples.desk.Fill;
import dev.rpcrdma.examples.desk.Quote;
import dev.rpcrdma.examples.desk.client.DeskClientListener;
import io.vertx.core.Future;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** What a client of the desk has heard, in its order. */
final class HeardEvents implements DeskClientListener {

  private static final long DEADLINE_SECONDS = 20;

  private final BlockingQueue<Object> events = new LinkedBlockingQueue<>();

  @Override
  public Future<Void> filled(Fill fill) {
    events.add(fill);
    return Future.succeededFuture();
  }

  @Override
  public Future<Void> quoted(Quote quote) {
    events.add(quote);
    return Future.succeededFuture();
  }

  @Override
  public void online(boolean online) {
    events.add(online);
  }

  @Override
  public void failed(Throwable cause) {
    events.add(cause);
  }

  /** Waits for the next event of a type; those before it are dropped. */
  <T> T next(Class<T> type) throws InterruptedException, TimeoutException {
    while (true) {
      Object event = events.poll(DEADLINE_SECONDS, TimeUnit.SECONDS);
      if (event == null) {
        throw new TimeoutException("Nothing heard of the desk in " + DEADLINE_SECONDS + " seconds");
      }
      if (type.isInstance(event)) {
        return type.cast(event);
      }
    }
  }
}
