// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.support;

import dev.rpcrdma.verbs.DisconnectReason;
import dev.rpcrdma.verbs.DisconnectReason.Kind;
import dev.rpcrdma.verbs.QueuePairHandler;
import dev.rpcrdma.verbs.base.Causes;
import dev.rpcrdma.verbs.vertx.Contexts;
import io.netty.channel.EventLoop;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * The life of one queue pair, from its setup to its last upcall: how far it is, why it ends, and its turns. Its
 * provider says when the next state begins. On the owning loop, unless a method says otherwise.
 *
 * <p>Each queue pair ends the same way: {@link #finish} is called when nobody refers to the consumer's memory any more;
 * all work requests complete, all exposures end, and {@code disconnected} is the last upcall.
 */
public final class PairLife {

  /** How far a queue pair is; only forward. */
  public enum State {
    /** Setup runs, or the connection is being made. */
    STARTING,
    /** Full operation. */
    OPEN,
    /** On the way down: what was flushed before is still sent, what arrives is dropped. */
    CLOSING,
    /** End of sending; whoever still refers to the consumer's memory is awaited. */
    ENDING,
    /** Work requests are being told of as flushed. */
    FLUSHING,
    /** Over. */
    GONE
  }

  /** The provider's part of a queue pair. */
  public interface Provider {

    /** Work requests of which the consumer is to be told. */
    CompletionSource completions();

    /** How many work requests both queues hold. */
    int capacity();

    /** Sends what was posted in a turn. The turn is over, and another one can begin. */
    void turnEnded();

    /**
     * Ends the connection for an error of this side.
     *
     * @param detail what has failed
     */
    void fail(String detail);

    /** Ends all exposures, and lets {@link #completions} flush what is posted. */
    void endWork();

    /** Whether work requests are left that the consumer has not been told of. */
    boolean hasPosted();
  }

  private final Provider provider;
  private final EventLoop loop;
  private final Upcalls upcalls;
  private final PostGate gate;
  private final Promise<Void> closed;
  private final AtomicBoolean turnDue = new AtomicBoolean();
  private final Runnable turn = this::turn;
  private State state = State.STARTING;
  private DisconnectReason reason;
  private boolean established;

  /**
   * Creates the life of a queue pair that is not set up.
   *
   * @param context current during upcalls, on the owning loop
   * @param provider not called before the queue pair is set up
   */
  public PairLife(Context context, Provider provider) {
    this.provider = provider;
    this.loop = Contexts.eventLoop(context);
    this.upcalls = new Upcalls(context,
        thrown -> provider.fail("The handler of the queue pair threw " + Causes.text(thrown)));
    this.gate = new PostGate(loop);
    this.closed = Contexts.promise(context);
  }

  /** How far it is. */
  public State state() {
    return state;
  }

  /** Whether the queue pair is in full operation. */
  public boolean isOpen() {
    return state == State.OPEN;
  }

  /** Whether what was flushed is still sent. */
  public boolean sends() {
    return state == State.OPEN || state == State.CLOSING;
  }

  /** Whether the connection has been up. */
  public boolean wasEstablished() {
    return established;
  }

  /** Makes the upcalls, in the turns of this life. */
  public Upcalls upcalls() {
    return upcalls;
  }

  /** Returns the gate in front of what the consumer posts. */
  public PostGate gate() {
    return gate;
  }

  /** Completes behind the last upcall. From any thread. */
  public Future<Void> whenGone() {
    return closed.future();
  }

  /**
   * Lets the consumer set up who is called.
   *
   * @param setup makes the handler
   * @throws IllegalStateException if it gives none; what it throws is thrown as well
   */
  public void setUp(Supplier<QueuePairHandler> setup) {
    upcalls.setUp(setup);
  }

  /**
   * Begins full operation, and tells of it.
   *
   * @return false if the queue pair has been closed, or has failed, since it was set up
   */
  public boolean open() {
    if (state != State.STARTING) {
      return false;
    }
    state = State.OPEN;
    established = true;
    gate.connected();
    upcalls.beginTurn();
    upcalls.established();
    endTurn();
    return true;
  }

  /** Makes a turn begin soon, unless one is under way. From any thread; nothing happens once the loop has ended. */
  public void turnLater() {
    if (loop.inEventLoop() && upcalls.inTurn() || !turnDue.compareAndSet(false, true)) {
      return;
    }
    try {
      loop.execute(turn);
    } catch (RejectedExecutionException e) {
      // Nobody is told of anything any more.
    }
  }

  private void turn() {
    turnDue.set(false);
    if (state == State.OPEN || state == State.CLOSING || state == State.ENDING) {
      upcalls.beginTurn();
      endTurn();
    }
  }

  /** Tells of what has completed, and ends the turn. What is left has another turn. */
  public void endTurn() {
    boolean all = upcalls.deliver(provider.completions());
    upcalls.endTurn();
    provider.turnEnded();
    if (!all || upcalls.hasPending()) {
      turnLater();
    }
  }

  /**
   * Keeps the first reason to end that comes.
   *
   * @param why it may have to end
   */
  public void because(DisconnectReason why) {
    if (reason == null) {
      reason = why;
    }
  }

  /**
   * Leaves full operation, or the way to it.
   *
   * @param why the first reason counts
   * @return false if it has been left before
   */
  public boolean beginClosing(DisconnectReason why) {
    if (state != State.STARTING && state != State.OPEN) {
      return false;
    }
    because(why);
    state = State.CLOSING;
    return true;
  }

  /**
   * Gives up sending.
   *
   * @return false if that has been given up before
   */
  public boolean beginEnding() {
    if (state != State.STARTING && !sends()) {
      return false;
    }
    state = State.ENDING;
    return true;
  }

  /** Why it has ended. */
  public DisconnectReason reason() {
    because(new DisconnectReason(Kind.REMOTE_CLOSE, "The connection was lost"));
    return established || reason.kind() == Kind.LOCAL_CLOSE ? reason
        : new DisconnectReason(Kind.NOT_ESTABLISHED, reason.detail());
  }

  /** Tells of all that was posted and exposed, and of the end. Nobody refers to the consumer's memory any more. */
  public void finish() {
    DisconnectReason last = reason();
    state = State.FLUSHING;
    gate.flushing(provider.capacity());
    do {
      upcalls.beginTurn();
      provider.endWork();
      upcalls.flush(provider.completions());
      upcalls.endTurn();
    } while (upcalls.hasPending() || provider.hasPosted());
    state = State.GONE;
    gate.over();
    upcalls.beginTurn();
    upcalls.disconnected(last);
    upcalls.endTurn();
    closed.complete();
  }
}
