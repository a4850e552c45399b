// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit.fabric;

import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.DisconnectReason;
import dev.rpcrdma.verbs.DisconnectReason.Kind;
import dev.rpcrdma.verbs.WorkCompletion.Status;
import dev.rpcrdma.verbs.support.CompletionSource;
import dev.rpcrdma.verbs.support.GuardedCopy;
import dev.rpcrdma.verbs.support.Loops;
import dev.rpcrdma.verbs.support.PairLife;
import dev.rpcrdma.verbs.support.PairLife.State;
import dev.rpcrdma.verbs.vertx.Contexts;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.util.OptionalInt;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * One queue pair on its event loop: what arrives, and the ways to end.
 *
 * <p>Each end carries out what the other one has posted, so an end's memory is touched by its own loop, except that of
 * its work requests, which {@link RequestMemory} protects. Every end comes in a task of its own, {@link #finish}: from
 * then on nobody touches that memory.
 */
final class Endpoint implements PairLife.Provider {

  /** Taken in one turn, so that other tasks of the loop have theirs. */
  private static final int ITEMS_PER_TURN = 256;

  private final FabricDevice device;
  private final EventLoop loop;
  private final PairLife life;
  private final WorkQueues queues;
  private final FabricExposures exposures = new FabricExposures();
  private final Placement placement;
  private final RequestMemory memory = new RequestMemory();
  /** Null until the other end is up. Also read by who closes this end from another thread. */
  private volatile FabricWire wire;
  private ScheduledFuture<?> deadline;

  Endpoint(FabricDevice device, Context context, ConnectionOptions options) {
    this.device = device;
    this.loop = Contexts.eventLoop(context);
    this.life = new PairLife(context, this);
    this.queues = new WorkQueues(options.sendQueueDepth(), options.receiveQueueDepth());
    this.placement = new Placement(queues, exposures, life.upcalls());
  }

  MemoryFabric fabric() {
    return device.fabric();
  }

  PairLife life() {
    return life;
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

  /**
   * Begins full operation, unless this end has been closed, or has given up, since it was set up.
   *
   * @return whether the connection is up
   */
  boolean open(FabricWire joined) {
    if (life.state() != State.STARTING) {
      joined.left();
      joined.peer(this).lost("The peer closed while the connection came up");
      return false;
    }
    wire = joined;
    life.open();
    wire.to(this).wake();
    return true;
  }

  /** Sends what was posted. On the way down only what was flushed before is still sent. */
  void flush() {
    if (life.isOpen()) {
      wire.from(this).add(queues.takePosted());
    }
  }

  /** Something may have arrived in a lane. */
  void arrive(Lane lane) {
    lane.arrived();
    if (!life.sends()) {
      return;
    }
    boolean carriedOut = false;
    life.upcalls().beginTurn();
    for (int i = 0; i < ITEMS_PER_TURN && life.sends(); i++) {
      Lane.Item item = lane.poll();
      if (item == null) {
        break;
      }
      if (item.request() == null) {
        leave(item.end());
      } else if (life.isOpen()) {
        carryOut(item.request(), wire.cutsNext() || item.cut());
        carriedOut = true;
      }
    }
    life.endTurn();
    lane.wake();
    if (carriedOut) {
      wire.peer(this).life.turnLater();
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
      fail(GuardedCopy.TRUNCATED);
    }
    if (cut) {
      wire.cut();
    }
  }

  @Override
  public CompletionSource completions() {
    return queues;
  }

  @Override
  public int capacity() {
    return queues.capacity();
  }

  @Override
  public void turnEnded() {
    // What was posted is with the peer since it was rung for.
  }

  @Override
  public void fail(String detail) {
    fail(detail, OptionalInt.empty());
  }

  /** This end has found an error: both ends disconnect. */
  private void fail(String detail, OptionalInt refusedTag) {
    if (life.isOpen()) {
      wire.from(this).end(new DisconnectReason(Kind.REMOTE_ERROR, detail, refusedTag));
    }
    leave(new DisconnectReason(Kind.LOCAL_ERROR, detail));
  }

  /** The connection has ended without the peer saying so, or has never come up. From any thread. */
  void lost(String why) {
    execute(() -> leave(new DisconnectReason(Kind.REMOTE_CLOSE, why)));
  }

  Future<Void> close() {
    Future<Void> closed = Loops.close(loop, this::closeOnLoop, life.whenGone());
    if (loop.isShuttingDown() && wire != null) {
      // Nothing of this end may run any more; the peer may be of another Vert.x.
      wire.from(this).end(new DisconnectReason(Kind.REMOTE_CLOSE, "The peer closed"));
    }
    return closed;
  }

  private void closeOnLoop() {
    DisconnectReason why = new DisconnectReason(Kind.LOCAL_CLOSE, "Closed by this side");
    if (life.isOpen()) {
      life.beginClosing(why);
      wire.from(this).end(new DisconnectReason(Kind.REMOTE_CLOSE, "The peer closed"));
      deadline = loop.schedule(() -> leave(why), device.options().closeTimeoutMillis(), TimeUnit.MILLISECONDS);
    } else if (life.state() == State.STARTING) {
      leave(why);
    }
  }

  /** The end is due, for the first reason that comes. */
  private void leave(DisconnectReason why) {
    if (life.beginEnding()) {
      life.because(why);
      execute(this::finish);
    }
  }

  private void finish() {
    if (deadline != null) {
      deadline.cancel(false);
    }
    memory.end();
    if (wire != null) {
      wire.to(this).drop();
      wire.from(this).end(new DisconnectReason(Kind.REMOTE_CLOSE, "The peer closed"));
      wire.left();
    }
    life.finish();
  }

  @Override
  public void endWork() {
    exposures.endAll();
  }

  @Override
  public boolean hasPosted() {
    return !queues.isEmpty();
  }
}
