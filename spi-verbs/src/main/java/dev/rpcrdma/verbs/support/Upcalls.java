// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.support;

import dev.rpcrdma.verbs.DisconnectReason;
import dev.rpcrdma.verbs.Exposure;
import dev.rpcrdma.verbs.QueuePairHandler;
import dev.rpcrdma.verbs.base.Causes;
import dev.rpcrdma.verbs.vertx.Contexts;
import io.vertx.core.Context;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Makes the upcalls of one queue pair, all inside turns, those of a turn in one batch. What a handler throws goes to
 * the context's exception handler and ends the connection. On the owning loop.
 */
public final class Upcalls {

  private static final System.Logger LOGGER = System.getLogger(Upcalls.class.getName());

  /** Completions of the send queue in one turn, so that a handler that posts anew does not spin. */
  private static final int COMPLETIONS_PER_TURN = 256;

  private final Context context;
  private final Consumer<Throwable> failed;
  private final Completion completion = new Completion();
  private final ArrayDeque<Exposure> exposed = new ArrayDeque<>(0);
  private final ArrayDeque<Exposure> revoked = new ArrayDeque<>(0);
  private QueuePairHandler handler;
  private Context previous;
  private boolean inTurn;
  private boolean batch;

  /**
   * Creates what has no handler yet.
   *
   * @param context current during upcalls, on the owning loop
   * @param failed gets what a handler throws
   */
  public Upcalls(Context context, Consumer<Throwable> failed) {
    this.context = context;
    this.failed = failed;
  }

  /**
   * Has the consumer set up who is called, in its context.
   *
   * @param setup makes the handler
   * @throws IllegalStateException if it gives none; what it throws is thrown as well
   */
  public void setUp(Supplier<QueuePairHandler> setup) {
    QueuePairHandler made = Contexts.on(context, setup);
    if (made == null) {
      throw new IllegalStateException("The setup returned no handler");
    }
    handler = made;
  }

  /** Whether upcalls can be made now. */
  public boolean inTurn() {
    return inTurn;
  }

  /** Begins a turn, unless one is under way. */
  public void beginTurn() {
    if (!inTurn) {
      inTurn = true;
      previous = Contexts.beginDispatch(context);
    }
  }

  /** Ends the batch and the turn. */
  public void endTurn() {
    if (batch) {
      batch = false;
      guard(handler::batchEnd);
    }
    Contexts.endDispatch(context, previous);
    previous = null;
    inTurn = false;
  }

  /** To be told in a turn. */
  public void exposedLater(Exposure exposure) {
    exposed.add(exposure);
  }

  /** To be told in a turn. */
  public void revokedLater(Exposure exposure) {
    revoked.add(exposure);
  }

  /** Whether there are exposures or revocations to tell of. */
  public boolean hasPending() {
    return !exposed.isEmpty() || !revoked.isEmpty();
  }

  /** The connection is up. */
  public void established() {
    batch = true;
    guard(handler::established);
  }

  /**
   * A message has come.
   *
   * @param id of its Receive
   * @param length bytes
   * @param invalidated whether it has invalidated a tag
   * @param tag that tag
   */
  public void received(long id, int length, boolean invalidated, int tag) {
    completed(completion.ofMessage(id, length, invalidated, tag));
  }

  /**
   * Tells of exposures, revocations and the send queue's completions.
   *
   * @param source has the completions
   * @return false if there is more, for another turn
   */
  public boolean deliver(CompletionSource source) {
    deliverExposures();
    int count = 0;
    while (count++ < COMPLETIONS_PER_TURN) {
      if (!source.nextDone(completion)) {
        return true;
      }
      completed(completion);
    }
    return false;
  }

  /** Tells of exposures and revocations, and of all work requests that they are over. */
  public void flush(CompletionSource source) {
    deliverExposures();
    while (source.nextFlushed(completion)) {
      completed(completion);
      deliverExposures();
    }
  }

  /** The last upcall; if there is a handler. */
  public void disconnected(DisconnectReason reason) {
    if (handler != null) {
      guard(() -> handler.disconnected(reason));
    }
  }

  /** What a handler asks for meanwhile has its turn later, so that one that asks anew does not spin. */
  private void deliverExposures() {
    for (int due = exposed.size(); due > 0; due--) {
      Exposure next = exposed.poll();
      batch = true;
      guard(() -> handler.exposed(next));
    }
    for (int due = revoked.size(); due > 0; due--) {
      Exposure next = revoked.poll();
      batch = true;
      guard(() -> handler.revoked(next));
    }
  }

  private void completed(Completion filled) {
    if (handler == null) {
      return;
    }
    batch = true;
    try {
      handler.completed(filled);
    } catch (Throwable thrown) {
      report(thrown);
    }
  }

  private void guard(Runnable upcall) {
    try {
      upcall.run();
    } catch (Throwable thrown) {
      report(thrown);
    }
  }

  private void report(Throwable thrown) {
    try {
      Contexts.reportException(context, thrown);
    } catch (Throwable again) {
      // The context's handler of exceptions is the application's as well. The turn has to end.
      LOGGER.log(Level.WARNING, "The exception handler of a context threw when it was told of " + Causes.text(thrown),
          again);
    }
    failed.accept(thrown);
  }
}
