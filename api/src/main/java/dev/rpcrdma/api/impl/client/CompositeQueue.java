// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.client;

import dev.rpcrdma.verbs.vertx.Contexts;
import io.vertx.core.Context;
import io.vertx.core.Handler;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/** The back-pressure of a channel that consists of others. Thread-safe. */
final class CompositeQueue {

  private final Context context;
  private final BooleanSupplier allFull;
  /** Somebody has been told that it is full, and is to be told when it is not. */
  private final AtomicBoolean full = new AtomicBoolean();
  private volatile Handler<Void> drainHandler;

  /**
   * A queue that is as full as its parts.
   *
   * @param context where the handler is called
   * @param allFull whether all are full; those that are call {@link #drained} when they are half empty
   */
  CompositeQueue(Context context, BooleanSupplier allFull) {
    this.context = context;
    this.allFull = allFull;
  }

  boolean isFull() {
    // First this: the one that drains just now looks at it.
    full.set(true);
    if (allFull.getAsBoolean()) {
      return true;
    }
    full.set(false);
    return false;
  }

  void drained() {
    Handler<Void> handler = drainHandler;
    if (handler != null && full.compareAndSet(true, false)) {
      Contexts.emit(context, null, handler);
    }
  }

  void drainHandler(Handler<Void> handler) {
    drainHandler = handler;
    if (handler != null && full.get() && !allFull.getAsBoolean()) {
      drained();
    }
  }
}
