// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.stream;

import dev.rpcrdma.api.Payload;
import dev.rpcrdma.api.PayloadHandler;
import dev.rpcrdma.api.PayloadStreamOptions;
import dev.rpcrdma.api.RpcCancelledException;
import dev.rpcrdma.api.impl.call.Cancellable;
import dev.rpcrdma.api.impl.call.CancellationImpl;
import dev.rpcrdma.verbs.vertx.Contexts;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;

/**
 * Payloads that are handed to a handler, and released when it is done with them. Where they come from is the
 * subclass's matter. Confined to one context.
 */
abstract class PayloadFlow implements Cancellable {

  private final Context context;
  private final Promise<Long> outcome;
  private final PayloadStreamOptions options;
  private final PayloadHandler handler;
  /** Payloads that were handed on and are not done with. */
  private int handling;
  private long handedBytes;
  private Throwable failure;
  private boolean over;

  PayloadFlow(Vertx vertx, PayloadStreamOptions options, PayloadHandler handler) {
    this.context = vertx.getOrCreateContext();
    this.outcome = Contexts.promise(context);
    this.options = Objects.requireNonNull(options, "options");
    this.handler = Objects.requireNonNull(handler, "handler");
  }

  /** Hands on what there is, and asks for more; called whenever something has changed, unless it has failed. */
  protected abstract void advance();

  /** Whether the source has nothing more, and all of it was handed on. */
  protected abstract boolean exhausted();

  /** How many answers are outstanding that bring memory. */
  protected abstract int awaited();

  /** After a failure: gives up what was not handed on. */
  protected abstract void abandon();

  /** At the end, however it came about. */
  protected void ended() {}

  /**
   * Begins.
   *
   * @return the number of bytes handed on
   */
  public final Future<Long> begin() {
    cancellation().ifPresent(cancellation -> cancellation.add(this));
    later(() -> {
      if (options.cancellation().filter(c -> c.isCancelled()).isPresent()) {
        fail(cancelled());
      }
    });
    return outcome.future();
  }

  private Optional<CancellationImpl> cancellation() {
    return options.cancellation().map(CancellationImpl.class::cast);
  }

  @Override
  public final void giveUp() {
    later(() -> fail(cancelled()));
  }

  private RpcCancelledException cancelled() {
    return new RpcCancelledException("The stream was cancelled when " + handedBytes + " bytes had been handed on",
        handedBytes > 0);
  }

  /** Does something on the flow's context, and whatever follows from it. */
  protected final void later(Runnable step) {
    try {
      context.runOnContext(turn -> take(step));
    } catch (RejectedExecutionException e) {
      // The context's threads have ended, so that only those take steps who give back what was handed on.
      synchronized (this) {
        fail(e);
        take(step);
      }
    }
  }

  private void take(Runnable step) {
    try {
      step.run();
      if (failure == null) {
        advance();
      }
    } catch (Throwable e) {
      // Such as of a source that is closed.
      fail(e);
    }
    endIfDone();
  }

  private void endIfDone() {
    if (over || handling > 0 || awaited() > 0 || failure == null && !exhausted()) {
      return;
    }
    over = true;
    cancellation().ifPresent(cancellation -> cancellation.remove(this));
    ended();
    if (failure == null) {
      outcome.complete(handedBytes);
    } else {
      outcome.fail(failure);
    }
  }

  protected final int chunkSize() {
    return options.chunkSize();
  }

  /** Whether another payload may be in memory beside some that were not handed on. */
  protected final boolean hasRoom(int notHandedOn) {
    return handling + notHandedOn < options.maxInFlight();
  }

  protected final boolean failed() {
    return failure != null;
  }

  /** Ends the flow, as soon as nothing is in use any more; the first failure is what is told. */
  protected final void fail(Throwable cause) {
    if (failure == null && !over) {
      failure = cause;
      abandon();
    }
  }

  /** Hands on a payload, of which the flow is an owner until it is done with. */
  protected final void hand(long offset, Payload payload) {
    handling++;
    handedBytes += payload.length();
    Future<?> handled;
    try {
      handled = Objects.requireNonNull(handler.handle(offset, payload), "The handler returned null");
    } catch (Throwable e) {
      // An Error, too, must not keep the memory.
      handled = Future.failedFuture(e);
    }
    handled.onComplete(result -> later(() -> {
      handling--;
      release(payload);
      if (result.failed()) {
        fail(result.cause());
      }
    }));
  }

  /** Gives up the flow's owner of a payload. */
  protected final void release(Payload payload) {
    if (!payload.tryRelease()) {
      fail(new IllegalStateException("A payload was released already: whoever handles it has it on loan"));
    }
  }
}
