// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.connection;

import dev.rpcrdma.verbs.vertx.Contexts;
import io.vertx.core.Context;
import io.vertx.core.Handler;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** How many calls of a channel have no outcome, for those who make more of them than the server serves. Thread-safe. */
public final class WriteQueue {

  private final Context context;
  private final AtomicInteger pending = new AtomicInteger();
  private volatile int most;
  /** Of who has been told that it is full, and is to be told when it is not; null if nobody is. */
  private final AtomicReference<Object> told = new AtomicReference<>();
  private volatile Handler<Void> drainHandler;
  /** It has drained, and nobody has been told. */
  private final AtomicBoolean unheard = new AtomicBoolean();

  /**
   * An empty queue.
   *
   * @param context where the handler is called
   * @param most how many calls make it full
   */
  public WriteQueue(Context context, int most) {
    this.context = context;
    this.most = most;
  }

  public void added() {
    pending.incrementAndGet();
  }

  public void ended() {
    int left = pending.decrementAndGet();
    if (told.get() != null && left <= most / 2) {
      drained();
    }
  }

  private void drained() {
    told.set(null);
    // First this: whoever sets a handler now looks at it afterwards.
    unheard.set(true);
    tell();
  }

  private void tell() {
    Handler<Void> handler = drainHandler;
    if (handler != null && unheard.compareAndSet(true, false)) {
      Contexts.tell(context, null, handler);
    }
  }

  public boolean isFull() {
    if (pending.get() < most) {
      return false;
    }
    Object mine = new Object();
    Object before = told.getAndSet(mine);
    // The last outcome may have come in between, and have found nobody who waits.
    if (pending.get() <= most / 2) {
      // Of somebody else it is not taken back: that one waits.
      told.compareAndSet(mine, before);
      return false;
    }
    return true;
  }

  /** How many calls have no outcome. */
  public int pending() {
    return pending.get();
  }

  public void most(int calls) {
    check(calls);
    most = calls;
  }

  /**
   * Checks how many calls are to make a queue full.
   *
   * @throws IllegalArgumentException if that is none
   */
  public static void check(int calls) {
    if (calls < 1) {
      throw new IllegalArgumentException("A write queue has room for one call at least, not " + calls);
    }
  }

  public void drainHandler(Handler<Void> handler) {
    drainHandler = handler;
    tell();
  }
}
