package dev.rpcrdma.siw.tcp;

import dev.rpcrdma.siw.memory.SiwExposure;
import dev.rpcrdma.siw.queue.Completion;
import dev.rpcrdma.siw.stream.RdmapEndpoint;
import dev.rpcrdma.verbs.DisconnectReason;
import dev.rpcrdma.verbs.QueuePairHandler;
import io.vertx.core.internal.ContextInternal;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.function.Consumer;

/**
 * Makes the upcalls of one queue pair, all inside turns. What a handler throws goes to the
 * context's exception handler and ends the connection.
 */
final class Upcalls {

  private static final System.Logger LOGGER = System.getLogger(Upcalls.class.getName());

  /** Completions of the send queue in one turn, so that a handler that posts anew does not spin. */
  private static final int COMPLETIONS_PER_TURN = 256;

  private final ContextInternal context;
  private final Consumer<Throwable> failed;
  private final Completion completion = new Completion();
  private final ArrayDeque<SiwExposure> exposed = new ArrayDeque<>();
  private final ArrayDeque<SiwExposure> revoked = new ArrayDeque<>();
  private QueuePairHandler handler;
  private ContextInternal previous;
  private boolean inTurn;
  private boolean batch;

  Upcalls(ContextInternal context, Consumer<Throwable> failed) {
    this.context = context;
    this.failed = failed;
  }

  void handler(QueuePairHandler value) {
    handler = value;
  }

  boolean inTurn() {
    return inTurn;
  }

  void beginTurn() {
    if (!inTurn) {
      inTurn = true;
      previous = context.beginDispatch();
    }
  }

  /** Ends the batch and the turn. */
  void endTurn() {
    if (batch) {
      batch = false;
      guard(handler::batchEnd);
    }
    context.endDispatch(previous);
    previous = null;
    inTurn = false;
  }

  /** To be told in a turn. */
  void exposedLater(SiwExposure exposure) {
    exposed.add(exposure);
  }

  /** To be told in a turn. */
  void revokedLater(SiwExposure exposure) {
    revoked.add(exposure);
  }

  boolean hasPending() {
    return !exposed.isEmpty() || !revoked.isEmpty();
  }

  void established() {
    batch = true;
    guard(handler::established);
  }

  void received(long id, int length, boolean invalidated, int tag) {
    completed(completion.ofMessage(id, length, invalidated, tag));
  }

  /**
   * Tells of exposures, revocations and the send queue's completions.
   *
   * @return false if there is more, for another turn
   */
  boolean deliver(RdmapEndpoint endpoint) {
    deliverExposures();
    int count = 0;
    while (count++ < COMPLETIONS_PER_TURN) {
      if (!endpoint.nextDone(completion)) {
        return true;
      }
      completed(completion);
    }
    return false;
  }

  /** Tells of exposures and revocations, and ends all work requests. */
  void flush(RdmapEndpoint endpoint) {
    deliverExposures();
    while (endpoint.nextFlushed(completion)) {
      completed(completion);
      deliverExposures();
    }
  }

  void disconnected(DisconnectReason reason) {
    if (handler != null) {
      guard(() -> handler.disconnected(reason));
    }
  }

  /** What a handler asks for meanwhile has its turn later, so that one that asks anew does not spin. */
  private void deliverExposures() {
    for (int due = exposed.size(); due > 0; due--) {
      SiwExposure next = exposed.poll();
      batch = true;
      guard(() -> handler.exposed(next));
    }
    for (int due = revoked.size(); due > 0; due--) {
      SiwExposure next = revoked.poll();
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
      context.reportException(thrown);
    } catch (Throwable again) {
      // The context's handler of exceptions is the application's as well. The turn has to end.
      LOGGER.log(Level.WARNING, "The exception handler of a context threw when it was told of "
          + thrown, again);
    }
    failed.accept(thrown);
  }
}
