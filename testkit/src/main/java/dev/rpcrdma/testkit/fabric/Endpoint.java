// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit.fabric;

import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.DisconnectReason;
import dev.rpcrdma.verbs.DisconnectReason.Kind;
import dev.rpcrdma.verbs.QueuePairHandler;
import dev.rpcrdma.verbs.WorkCompletion.Status;
import dev.rpcrdma.verbs.base.Causes;
import dev.rpcrdma.verbs.support.GuardedCopy;
import dev.rpcrdma.verbs.support.Loops;
import dev.rpcrdma.verbs.support.PostGate;
import dev.rpcrdma.verbs.support.Upcalls;
import dev.rpcrdma.verbs.vertx.Contexts;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.OptionalInt;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * The life of one queue pair on its event loop: turns, what arrives, and the ways to end.
 *
 * <p>Each end carries out what the other one has posted, so an end's memory is touched by its own loop, except that of
 * its work requests, which {@link RequestMemory} protects. Every end comes in a task of its own, {@link #finish}: from
 * then on nobody touches that memory, so all work requests complete, all exposures end, and {@code disconnected} is the
 * last upcall.
 */
final class Endpoint {

  /** Where an end stands; only forward. */
  private enum State {
    /** Setup runs, or the other end is not up yet. */
    STARTING,
    /** Full operation. */
    OPEN,
    /** Closed by this side: what was flushed before is taken by the peer, what arrives is dropped. */
    CLOSING,
    /** The end is due. */
    ENDING,
    /** Work requests are being completed. */
    FLUSHING,
    /** Over. */
    GONE
  }

  /** Taken in one turn, so that other tasks of the loop have theirs. */
  private static final int ITEMS_PER_TURN = 256;

  private final FabricDevice device;
  private final EventLoop loop;
  private final Context context;
  private final Upcalls upcalls;
  private final PostGate gate;
  private final WorkQueues queues;
  private final FabricExposures exposures = new FabricExposures();
  private final Placement placement;
  private final RequestMemory memory = new RequestMemory();
  private final AtomicBoolean deliveryDue = new AtomicBoolean();
  private final Promise<Void> closed;
  private FabricWire wire;
  private State state = State.STARTING;
  private DisconnectReason reason;
  private boolean established;
  private ScheduledFuture<?> deadline;

  Endpoint(FabricDevice device, Context context, ConnectionOptions options) {
    this.device = device;
    this.context = context;
    this.loop = Contexts.eventLoop(context);
    this.gate = new PostGate(loop);
    this.upcalls = new Upcalls(context, thrown -> fail("The handler of the queue pair threw " + Causes.text(thrown),
        OptionalInt.empty()));
    this.queues = new WorkQueues(options.sendQueueDepth(), options.receiveQueueDepth());
    this.placement = new Placement(queues, exposures, upcalls);
    this.closed = Contexts.promise(context);
  }

  MemoryFabric fabric() {
    return device.fabric();
  }

  Upcalls upcalls() {
    return upcalls;
  }

  PostGate gate() {
    return gate;
  }

  WorkQueues queues() {
    return queues;
  }

  FabricExposures exposures() {
    return exposures;
  }

  Placement placement() {
    return placement;
  }

  boolean isStarting() {
    return state == State.STARTING;
  }

  boolean isOpen() {
    return state == State.OPEN;
  }

  Future<Void> whenGone() {
    return closed.future();
  }

  /**
   * Does something on the loop, in a later turn. From any thread.
   *
   * @return false if the loop has ended
   */
  boolean execute(Runnable task) {
    try {
      loop.execute(task);
      return true;
    } catch (RejectedExecutionException e) {
      return false;
    }
  }

  /** Does something on the loop after some nanoseconds. */
  ScheduledFuture<?> schedule(Runnable task, long nanos) {
    return loop.schedule(task, nanos, TimeUnit.NANOSECONDS);
  }

  void setUp(Supplier<QueuePairHandler> setup) {
    upcalls.setUp(setup);
  }

  /**
   * Begins full operation, unless this end has been closed, or has given up, since it was set up.
   *
   * @return whether the connection is up
   */
  boolean open(FabricWire joined) {
    if (state != State.STARTING) {
      joined.left();
      joined.peer(this).lost("The peer closed while the connection came up");
      return false;
    }
    wire = joined;
    state = State.OPEN;
    established = true;
    gate.connected();
    upcalls.beginTurn();
    upcalls.established();
    endTurn();
    wire.to(this).wake();
    return true;
  }

  /** Sends what was posted. On the way down only what was flushed before is still sent. */
  void flush() {
    if (state == State.OPEN) {
      wire.from(this).add(queues.takePosted());
    }
  }

  /** Something may have arrived in a lane. */
  void arrive(Lane lane) {
    lane.arrived();
    if (state != State.OPEN && state != State.CLOSING) {
      return;
    }
    boolean carriedOut = false;
    upcalls.beginTurn();
    for (int i = 0; i < ITEMS_PER_TURN && (state == State.OPEN || state == State.CLOSING); i++) {
      Lane.Item item = lane.poll();
      if (item == null) {
        break;
      }
      if (item.request() == null) {
        leave(item.end());
      } else if (state == State.OPEN) {
        carryOut(item.request(), wire.cutsNext() || item.cut());
        carriedOut = true;
      }
    }
    endTurn();
    lane.wake();
    if (carriedOut) {
      wire.peer(this).deliverLater();
    }
  }

  private void carryOut(FabricWorkRequest request, boolean cut) {
    RequestMemory theirs = wire.peer(this).memory;
    try {
      Transfer transfer = placement.check(request);
      if (cut) {
        theirs.copy(transfer, request.length / 2);
      } else if (theirs.copy(transfer, request.length)) {
        request.status = Status.SUCCESS;
        placement.finish(request);
      }
    } catch (RefusedException refused) {
      request.status = Status.ERROR;
      fail(refused.getMessage(), refused.steeringTag());
    } catch (InternalError truncated) {
      request.status = Status.ERROR;
      fail(GuardedCopy.TRUNCATED, OptionalInt.empty());
    }
    if (cut) {
      wire.cut();
    }
  }

  /** There is something to tell the consumer in a later turn. From any thread. */
  void deliverLater() {
    if (deliveryDue.compareAndSet(false, true)) {
      execute(this::deliver);
    }
  }

  private void deliver() {
    deliveryDue.set(false);
    if (state == State.OPEN || state == State.CLOSING) {
      upcalls.beginTurn();
      endTurn();
    }
  }

  private void endTurn() {
    boolean all = upcalls.deliver(queues);
    upcalls.endTurn();
    if (!all || upcalls.hasPending()) {
      deliverLater();
    }
  }

  /** This end has found an error: both ends disconnect. */
  private void fail(String detail, OptionalInt refusedTag) {
    if (state == State.OPEN) {
      wire.from(this).end(new DisconnectReason(Kind.REMOTE_ERROR, detail, refusedTag));
    }
    leave(new DisconnectReason(Kind.LOCAL_ERROR, detail));
  }

  /** The connection has ended without the peer saying so, or has never come up. From any thread. */
  void lost(String why) {
    execute(() -> leave(new DisconnectReason(Kind.REMOTE_CLOSE, why)));
  }

  Future<Void> close() {
    if (loop.isShuttingDown() && wire != null) {
      // Nothing of this end runs any more; the peer may be of another Vert.x.
      wire.from(this).end(new DisconnectReason(Kind.REMOTE_CLOSE, "The peer closed"));
    }
    return Loops.close(loop, this::closeOnLoop, closed.future());
  }

  private void closeOnLoop() {
    DisconnectReason why = new DisconnectReason(Kind.LOCAL_CLOSE, "Closed by this side");
    if (state == State.OPEN) {
      state = State.CLOSING;
      reason = why;
      wire.from(this).end(new DisconnectReason(Kind.REMOTE_CLOSE, "The peer closed"));
      deadline = loop.schedule(() -> leave(why), device.options().closeTimeoutMillis(), TimeUnit.MILLISECONDS);
    } else if (state == State.STARTING) {
      leave(why);
    }
  }

  /** The end is due, for the first reason that comes. */
  private void leave(DisconnectReason why) {
    if (state == State.STARTING || state == State.OPEN || state == State.CLOSING) {
      state = State.ENDING;
      reason = reason == null ? why : reason;
      execute(this::finish);
    }
  }

  private void finish() {
    DisconnectReason last = established || reason.kind() == Kind.LOCAL_CLOSE ? reason
        : new DisconnectReason(Kind.NOT_ESTABLISHED, reason.detail());
    if (deadline != null) {
      deadline.cancel(false);
    }
    memory.end();
    if (wire != null) {
      wire.to(this).drop();
      wire.from(this).end(new DisconnectReason(Kind.REMOTE_CLOSE, "The peer closed"));
      wire.left();
    }
    state = State.FLUSHING;
    gate.flushing(queues.capacity());
    do {
      upcalls.beginTurn();
      exposures.endAll();
      upcalls.flush(queues);
      upcalls.endTurn();
    } while (upcalls.hasPending() || !queues.isEmpty());
    state = State.GONE;
    gate.over();
    upcalls.beginTurn();
    upcalls.disconnected(last);
    upcalls.endTurn();
    closed.complete();
  }
}
