// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.pair;

import dev.rpcrdma.ibverbs.IbverbsOptions;
import dev.rpcrdma.ibverbs.connect.CmEvent;
import dev.rpcrdma.ibverbs.ffi.NativeException;
import dev.rpcrdma.ibverbs.ffi.Numbers;
import dev.rpcrdma.ibverbs.memory.IbverbsExposure;
import dev.rpcrdma.ibverbs.memory.IbverbsExposures;
import dev.rpcrdma.ibverbs.memory.PairMemory;
import dev.rpcrdma.ibverbs.queue.IbverbsReceiveQueue;
import dev.rpcrdma.ibverbs.queue.IbverbsSendQueue;
import dev.rpcrdma.ibverbs.work.IbverbsWorkers;
import dev.rpcrdma.ibverbs.work.Jobs;
import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.DisconnectReason;
import dev.rpcrdma.verbs.DisconnectReason.Kind;
import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.WorkCompletion.Status;
import dev.rpcrdma.verbs.base.Causes;
import dev.rpcrdma.verbs.support.Completion;
import dev.rpcrdma.verbs.support.CompletionSource;
import dev.rpcrdma.verbs.support.EmptyWriteProbe;
import dev.rpcrdma.verbs.support.GuardedCopy;
import dev.rpcrdma.verbs.support.Loops;
import dev.rpcrdma.verbs.support.PairLife;
import dev.rpcrdma.verbs.support.PairLife.State;
import dev.rpcrdma.verbs.vertx.Contexts;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/**
 * One queue pair on its event loop: what completions mean, and the ways to end.
 *
 * <p>Ending: {@code close()} waits until what was flushed is over, since a disconnect drops what is queued. Then, as
 * after an error and after the peer's end, this side disconnects, which some fabrics need before they tell anything;
 * waits for the peer's end, so that nothing that is on its way is cut off; and destroys the queue pair, after which the
 * device has no use for the consumer's memory. Only then are work requests told of as flushed that the device never
 * told of. Each wait has a deadline.
 */
final class IbverbsConnection implements CompletionSource, IbverbsExposures.Connection, CompletionPoller.Owner,
    PairLife.Provider {

  /** How long to wait before looking again whether TCP has sent all. */
  private static final int SENDING_MILLIS = 2;

  private final EventLoop loop;
  private final NativePair pair;
  private final IbverbsWorkers workers;
  private final IbverbsOptions settings;
  private final Optional<TcpSendQueue> fence;
  private final PairLife life;
  private final CompletionPoller poller;
  private final EmptyWriteProbe nudges;
  private final PairMemory memory;
  private final IbverbsSendQueue sends;
  private final IbverbsReceiveQueue receives;
  private final IbverbsExposures exposures;
  private final int capacity;
  private final Promise<Void> destroyed = Promise.promise();
  private Runnable receivesPosted = () -> {};
  private boolean peerEnded;
  private boolean disconnectCalled;
  private boolean asking;
  private boolean destroyDue;
  private boolean destroying;
  private boolean queuesDestroyed;
  private boolean revocationsWatched;
  /** The device has one that it has not completed. */
  private boolean nudging;
  private int jobs;
  private ScheduledFuture<?> deadline;

  IbverbsConnection(Context context, NativePair pair, ConnectionOptions options, PairDevice device,
      Optional<TcpSendQueue> fence, int nudgeMillis) {
    this.loop = Contexts.eventLoop(context);
    this.pair = pair;
    this.workers = device.workers();
    this.settings = device.options();
    this.fence = fence;
    this.life = new PairLife(context, this);
    this.poller = new CompletionPoller(loop, pair.completions(), life.upcalls(), this,
        TimeUnit.MICROSECONDS.toNanos(settings.busyPollMicros()));
    this.nudges = new EmptyWriteProbe(loop, nudgeMillis, this::nudge);
    // Not a lambda: the method is generic.
    Jobs counted = this::run;
    this.memory = new PairMemory(pair.domain(), counted, loop, this::submit,
        this::notRegistered);
    this.sends = new IbverbsSendQueue(pair.functions(), pair.handle(), options.sendQueueDepth(), pair.inline(), memory);
    this.receives = new IbverbsReceiveQueue(pair.functions(), pair.handle(), options.receiveQueueDepth(), memory);
    this.exposures = new IbverbsExposures(pair.domain(), counted, life.upcalls(), this, device.revocations());
    this.capacity = options.sendQueueDepth() + options.receiveQueueDepth();
  }

  /** Work that has to end before the connection can. */
  private <T> void run(Callable<T> work, Handler<AsyncResult<T>> done) {
    jobs++;
    workers.run(loop, work, (AsyncResult<T> outcome) -> {
      jobs--;
      done.handle(outcome);
      finish();
    });
  }

  IbverbsSendQueue sends() {
    return sends;
  }

  IbverbsReceiveQueue receives() {
    return receives;
  }

  IbverbsExposures exposures() {
    return exposures;
  }

  PairLife life() {
    return life;
  }

  @Override
  public boolean isOpen() {
    return life.isOpen();
  }

  @Override
  public boolean isEnding() {
    return life.state().compareTo(State.ENDING) >= 0;
  }

  @Override
  public boolean fences() {
    return fence.isPresent();
  }

  /** Whether the device may still see what is posted. */
  boolean reachesDevice() {
    return life.state() == State.STARTING || life.isOpen();
  }

  /** Calls back when the device has all Receives of the setup, unless the connection ends before. */
  void whenReceivesPosted(Runnable posted) {
    receivesPosted = posted;
    submit();
  }

  /** Full operation begins, unless the consumer has closed meanwhile. */
  boolean open() {
    if (!life.open()) {
      return false;
    }
    poller.listen();
    // Also arms.
    poller.poll();
    nudges.begin();
    return true;
  }

  @Override
  public void cannotBeUsed(NativeException why) {
    end(Kind.LOCAL_ERROR, "The device cannot be used any more: " + why.getMessage());
  }

  @Override
  public boolean polls() {
    return life.sends() || life.state() == State.ENDING && !destroying;
  }

  @Override
  public void completed(long request, int status, int length) {
    if (request == IbverbsSendQueue.FENCE) {
      if (status == Numbers.WC_SUCCESS) {
        awaitSent();
      }
    } else if (request == IbverbsSendQueue.NUDGE && nudging) {
      nudging = false;
    } else if ((request & IbverbsReceiveQueue.RECEIVE) != 0) {
      if (status == Numbers.WC_SUCCESS) {
        received(request, length);
      }
    } else if (!sends.completed(request, status(status))) {
      end(Kind.LOCAL_ERROR, "The device has completed a request that it does not have");
    } else if (WcStatus.isRefusedAccess(status)) {
      life.because(new DisconnectReason(WcStatus.kind(status), WcStatus.text(status), sends.tag(request)));
    }
    if (status != Numbers.WC_SUCCESS) {
      failed(status);
    }
  }

  private static Status status(int status) {
    if (status == Numbers.WC_SUCCESS) {
      return Status.SUCCESS;
    }
    return WcStatus.isFlushed(status) ? Status.FLUSHED : Status.ERROR;
  }

  /** On the way down what arrives is dropped. */
  private void received(long request, int length) {
    if (!life.isOpen()) {
      return;
    }
    if (!receives.isOldest(request)) {
      end(Kind.LOCAL_ERROR, "The device has filled a Receive out of turn");
      return;
    }
    nudges.heard();
    try {
      life.upcalls().received(receives.take(length), length, false, 0);
    } catch (InternalError e) {
      end(Kind.LOCAL_ERROR, GuardedCopy.TRUNCATED);
    }
  }

  private void failed(int status) {
    if (!WcStatus.isFlushed(status)) {
      end(WcStatus.kind(status), WcStatus.text(status));
    } else if (life.sends()) {
      // Why is not known yet: an event may tell.
      disconnect();
    }
  }

  /** An event of connection management, of a connection that is made. */
  void event(CmEvent event) {
    switch (event.type()) {
      case Numbers.ADDR_CHANGE, Numbers.TIMEWAIT_EXIT, Numbers.ESTABLISHED -> { }
      case Numbers.DISCONNECTED -> peerEnded();
      case Numbers.DEVICE_REMOVAL -> end(Kind.LOCAL_ERROR, "The RDMA device was removed");
      default -> end(Kind.LOCAL_ERROR, "Event " + event.type() + " of connection management, status "
          + event.status());
    }
  }

  private void peerEnded() {
    // What had come before it ended.
    poller.poll();
    peerEnded = true;
    end(Kind.REMOTE_CLOSE, "The peer has ended the connection");
    if (disconnectCalled) {
      destroyQueues();
    }
  }

  /** What was posted, as far as it was rung for, goes to the device. */
  void submit() {
    if (isEnding()) {
      return;
    }
    try {
      receives.submit();
      if (life.state() != State.STARTING) {
        sends.submit(receives.submitted());
      } else if (receives.submitted() == receives.posted()) {
        Runnable posted = receivesPosted;
        receivesPosted = () -> {};
        posted.run();
      }
    } catch (NativeException e) {
      end(Kind.LOCAL_ERROR, "The device takes no more requests: " + e.getMessage());
    }
  }

  /** A Receive was posted, which needs no ringing for. */
  void receivePosted() {
    if (life.isOpen() && !life.upcalls().inTurn()) {
      submit();
    }
  }

  /** Rings for what was posted: at once, or when the turn ends. */
  void flush() {
    // On the way down only what was flushed before is still sent; the rest will be flushed.
    if (life.isOpen()) {
      sends.ring();
    }
    if (!life.upcalls().inTurn()) {
      submit();
      poller.stayAwake();
    }
  }

  @Override
  public void fence() {
    try {
      sends.fence();
    } catch (NativeException e) {
      end(Kind.LOCAL_ERROR, "The fence of a revocation cannot be posted: " + e.getMessage());
    }
  }

  private void nudge() {
    if (!life.isOpen() || nudging) {
      return;
    }
    try {
      sends.nudge();
      nudging = true;
    } catch (NativeException e) {
      // The connection ends, and something else tells why.
    }
  }

  /** The device has begun nothing of what was deregistered before the fence that is not with TCP, and TCP sends it. */
  private void awaitSent() {
    run(() -> fence.orElseThrow().isEmpty(), done -> {
      if (done.failed()) {
        end(Kind.LOCAL_ERROR, "What TCP has sent cannot be found out: " + Causes.message(done.cause()));
      } else if (done.result()) {
        exposures.fenced();
      } else if (isOpen()) {
        loop.schedule(this::awaitSent, SENDING_MILLIS, TimeUnit.MILLISECONDS);
      }
    });
  }

  private void notRegistered(VerbsException why) {
    // On the way down nothing can be, and that is not why.
    if (!isEnding()) {
      end(Kind.LOCAL_ERROR, why.getMessage());
    }
  }

  @Override
  public void cannotRevoke(String why) {
    end(Kind.LOCAL_ERROR, why);
  }

  void revoke(IbverbsExposure exposure) {
    exposures.revoke(exposure);
    watchRevocations();
  }

  private void watchRevocations() {
    if (!revocationsWatched && exposures.isRevoking() && isOpen()) {
      revocationsWatched = true;
      loop.schedule(this::lookAtRevocations, settings.revokeTimeoutMillis(), TimeUnit.MILLISECONDS);
    }
  }

  private void lookAtRevocations() {
    revocationsWatched = false;
    if (exposures.isRevokingSince(System.nanoTime() - TimeUnit.MILLISECONDS.toNanos(settings.revokeTimeoutMillis()))) {
      end(Kind.LOCAL_ERROR, "The peer does not take the data of a Read whose memory is being revoked");
    }
    watchRevocations();
  }

  @Override
  public void turnLater() {
    life.turnLater();
  }

  @Override
  public void endTurn() {
    life.endTurn();
  }

  @Override
  public void turnEnded() {
    submit();
    if (life.state() == State.CLOSING && sends.isIdle()) {
      disconnect();
    }
  }

  @Override
  public CompletionSource completions() {
    return this;
  }

  @Override
  public int capacity() {
    return capacity;
  }

  @Override
  public boolean nextDone(Completion into) {
    return nextSent(into);
  }

  @Override
  public boolean nextFlushed(Completion into) {
    return nextSent(into) || receives.nextFlushed(into);
  }

  private boolean nextSent(Completion into) {
    try {
      return sends.next(into);
    } catch (InternalError e) {
      end(Kind.LOCAL_ERROR, GuardedCopy.TRUNCATED);
      into.of(into.id(), into.opcode(), Status.ERROR);
      return true;
    }
  }

  @Override
  public void fail(String detail) {
    end(Kind.LOCAL_ERROR, detail);
  }

  /** From any thread. */
  Future<Void> close() {
    if (loop.isShuttingDown()) {
      // No context would call a listener of the promise's. What it still holds goes with its device.
      return life.whenGone().isComplete() ? Future.succeededFuture() : Future.failedFuture(Loops.ended(null));
    }
    return Loops.close(loop, this::closeOnLoop, life.whenGone());
  }

  private void closeOnLoop() {
    if (life.state() == State.STARTING) {
      end(Kind.LOCAL_CLOSE, "Closed before it was connected");
    } else if (life.beginClosing(new DisconnectReason(Kind.LOCAL_CLOSE, "Closed by this side"))) {
      deadline = loop.schedule(this::closeTakesTooLong, settings.closeTimeoutMillis(), TimeUnit.MILLISECONDS);
      // Also what is flushed in the turn that is under way.
      life.turnLater();
    }
  }

  private void closeTakesTooLong() {
    deadline = null;
    disconnect();
  }

  /** Ends the connection. The first reason counts. */
  void end(Kind kind, String detail) {
    life.because(new DisconnectReason(kind, detail));
    disconnect();
  }

  private void disconnect() {
    if (!life.beginEnding()) {
      return;
    }
    nudges.end();
    cancel(deadline);
    if (!life.wasEstablished()) {
      // Nobody is to be told, and no event will come.
      destroyQueues();
      return;
    }
    deadline = loop.schedule(this::destroyQueues, settings.closeTimeoutMillis(), TimeUnit.MILLISECONDS);
    run(() -> {
      pair.id().disconnect();
      return null;
    }, done -> {
      disconnectCalled = true;
      // One that fails has no connection any more, and no event will come.
      if (peerEnded || done.failed()) {
        destroyQueues();
      }
    });
  }

  /** The fabric is being asked for the connection, by a worker that uses what would be destroyed. */
  void asking() {
    asking = true;
  }

  /** It is asked. */
  void asked() {
    asking = false;
    if (destroyDue) {
      destroyQueues();
    }
  }

  private void destroyQueues() {
    if (destroying) {
      return;
    }
    if (asking) {
      destroyDue = true;
      return;
    }
    if (life.wasEstablished()) {
      // The last look: a device may keep nothing of a queue pair that is destroyed.
      poller.poll();
    }
    destroying = true;
    cancel(deadline);
    run(() -> {
      pair.destroyQueues();
      return null;
    }, done -> queuesDestroyed = true);
  }

  /** All that was under way is over; the rest is told. */
  private void finish() {
    if (!queuesDestroyed || jobs > 0 || life.state() != State.ENDING) {
      return;
    }
    poller.deafen();
    memory.end();
    life.finish();
    workers.run(() -> {
      try {
        pair.destroy();
      } finally {
        destroyed.complete();
      }
    });
  }

  @Override
  public void endWork() {
    sends.flush();
    exposures.end();
  }

  @Override
  public boolean hasPosted() {
    return !sends.isEmpty() || !receives.isEmpty();
  }

  /** The loop has ended, and with it whoever would be told of anything. On a worker. */
  void abandon() {
    try {
      pair.destroyQueues();
    } finally {
      pair.destroy();
    }
  }

  private static void cancel(ScheduledFuture<?> timer) {
    if (timer != null) {
      timer.cancel(false);
    }
  }

  /** Completes when nothing native is left. */
  Future<Void> whenDestroyed() {
    return destroyed.future();
  }

  /** Why it has ended, or could not be made. */
  VerbsException failure() {
    return new VerbsException(VerbsException.Kind.DISCONNECTED, life.reason().detail());
  }
}
