// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.client;

import dev.rpcrdma.verbs.vertx.Contexts;
import io.vertx.core.Context;
import io.vertx.core.Handler;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;

/** The back-pressure of a channel that consists of others. Thread-safe. */
final class CompositeQueue {

  private final Context context;
  private final BooleanSupplier allFull;
  /** Of who has been told that it is full, and is to be told when it is not; null if nobody is. */
  private final AtomicReference<Object> told = new AtomicReference<>();
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
    Object mine = new Object();
    Object before = told.getAndSet(mine);
    if (allFull.getAsBoolean()) {
      return true;
    }
    // Of somebody else it is not taken back: that one waits.
    told.compareAndSet(mine, before);
    return false;
  }

  void drained() {
    Handler<Void> handler = drainHandler;
    // Those who waited for servers may have filled them at once.
    if (handler != null && told.get() != null && !allFull.getAsBoolean() && told.getAndSet(null) != null) {
      Contexts.tell(context, null, handler);
    }
  }

  void drainHandler(Handler<Void> handler) {
    drainHandler = handler;
    drained();
  }
}
