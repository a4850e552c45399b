// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.device;

import dev.rpcrdma.siw.SiwOptions;
import dev.rpcrdma.siw.memory.SiwExposure;
import dev.rpcrdma.siw.stream.RdmapEndpoint;
import dev.rpcrdma.siw.stream.StreamFault;
import dev.rpcrdma.siw.transport.Link;
import dev.rpcrdma.siw.transport.Mulpdu;
import dev.rpcrdma.siw.transport.Transmitter;
import dev.rpcrdma.siw.wire.TerminateCode;
import dev.rpcrdma.siw.wire.TerminateMessage;
import dev.rpcrdma.verbs.DisconnectReason;
import dev.rpcrdma.verbs.DisconnectReason.Kind;
import dev.rpcrdma.verbs.QueuePairHandler;
import dev.rpcrdma.verbs.base.Causes;
import dev.rpcrdma.verbs.support.BusyPoller;
import dev.rpcrdma.verbs.support.EmptyWriteProbe;
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
import java.nio.ByteBuffer;
import java.security.cert.Certificate;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The life of one queue pair on its event loop: turns, sending, and the ways to end.
 *
 * <p>Ending: {@code close()} sends what was flushed and then its FIN; an error of either side sends
 * at most a Terminate and then the FIN (RFC 5040 §6.2.1). The peer's FIN, or a deadline, closes the
 * channel. Once it is closed nothing refers to the consumer's memory, so all work requests
 * complete, all exposures end, and {@code disconnected} is the last upcall.
 */
final class SiwConnection implements Link.Phase {

  /** Where a connection stands; only forward. */
  private enum State {
    /** Setup runs, or the Reply is on its way. */
    STARTING,
    /** Full operation. */
    OPEN,
    /** On the way down: what must still be sent is sent, what arrives is dropped. */
    CLOSING,
    /** The channel is closed; work requests are being completed. */
    FLUSHING,
    /** Over. */
    GONE
  }

  private final Context context;
  private final Link link;
  private final EventLoop loop;
  private final SiwOptions settings;
  private final long pollNanos;
  private final long messagePollNanos;
  private final Upcalls upcalls;
  private final EmptyWriteProbe nudges;
  private final PostGate gate;
  private final Promise<Void> closed;
  private final Runnable delivery = this::deliverNow;
  private RdmapEndpoint endpoint;
  private Transmitter transmitter;
  private State state = State.STARTING;
  private DisconnectReason reason;
  private boolean established;
  private boolean outputEnded;
  private boolean deliveryScheduled;
  /** A part of an FPDU has come. */
  private boolean midFpdu;
  /** Reads that have completed an FPDU. */
  private long progress;
  /** The loop was kept awake for this. */
  private boolean awake;
  private ScheduledFuture<?> deadline;
  private ScheduledFuture<?> fpduDeadline;

  SiwConnection(Context context, Link link, SiwOptions settings, boolean initiator) {
    this.context = context;
    this.link = link;
    this.loop = link.eventLoop();
    this.settings = settings;
    this.pollNanos = TimeUnit.MICROSECONDS.toNanos(settings.busyPollMicros());
    this.messagePollNanos = TimeUnit.MICROSECONDS.toNanos(settings.messagePollMicros());
    this.upcalls = new Upcalls(context, this::handlerThrew);
    this.nudges = new EmptyWriteProbe(loop, initiator ? settings.nudgeMillis() : 0, this::nudge);
    this.gate = new PostGate(loop);
    this.closed = Contexts.promise(context);
  }

  void attach(RdmapEndpoint value) {
    endpoint = value;
    transmitter = new Transmitter(link, endpoint,
        Mulpdu.of(link.localAddress(), link.remoteAddress(), endpoint.encoder().mustCopy()),
        this::deliverLater, delivery);
  }

  List<Certificate> peerCertificates() {
    return link.peerCertificates();
  }

  List<Certificate> localCertificates() {
    return link.localCertificates();
  }

  Upcalls upcalls() {
    return upcalls;
  }

  PostGate gate() {
    return gate;
  }

  boolean isOpen() {
    return state == State.OPEN;
  }

  void setUp(Supplier<QueuePairHandler> setup) {
    upcalls.setUp(setup);
  }

  /** Startup is over: full operation begins, unless the consumer has closed meanwhile. */
  boolean open() {
    if (state != State.STARTING) {
      return false;
    }
    state = State.OPEN;
    established = true;
    gate.connected();
    upcalls.beginTurn();
    upcalls.established();
    endTurn();
    nudges.begin();
    return true;
  }

  private void nudge() {
    if (state == State.OPEN) {
      endpoint.nudge();
      pump();
    }
  }

  @Override
  public int received(ByteBuffer in, int from, int to) {
    if (state != State.OPEN) {
      return to;
    }
    nudges.heard();
    upcalls.beginTurn();
    try {
      int handled = endpoint.receive(in, from, to);
      midFpdu = handled < to;
      progress += handled > from ? 1 : 0;
      return handled;
    } catch (StreamFault fault) {
      fail(fault);
      return to;
    } catch (InternalError late) {
      truncated();
      return to;
    }
  }

  /**
   * A fault in a mapped file that was reported too late to tell its work request. What is staged
   * may be wrong, so nothing more is sent, not even a Terminate.
   */
  private void truncated() {
    beginClosing(Kind.LOCAL_ERROR, GuardedCopy.TRUNCATED);
    endpoint.stop();
    link.close();
  }

  @Override
  public void readComplete() {
    if (upcalls.inTurn()) {
      endTurn();
      stayAwake();
      watchFpdu();
    }
  }

  /** What has come of an FPDU pins a staging buffer, so its rest has to come as well. */
  private void watchFpdu() {
    if (midFpdu && state == State.OPEN && fpduDeadline == null) {
      long seen = progress;
      fpduDeadline = loop.schedule(() -> fpduDue(seen), settings.fpduTimeoutMillis(), TimeUnit.MILLISECONDS);
    }
  }

  private void fpduDue(long seen) {
    fpduDeadline = null;
    if (midFpdu && progress == seen) {
      fail(new StreamFault(TerminateCode.STREAM_CATASTROPHIC,
          "The peer has begun an FPDU and completed none for " + settings.fpduTimeoutMillis() + " ms"));
      pump();
    } else {
      watchFpdu();
    }
  }

  /** Sends what was flushed outside a turn. */
  void flushed() {
    pump();
    stayAwake();
  }

  private void stayAwake() {
    boolean more = midFpdu || endpoint.expectsMore();
    long window = more ? Math.max(pollNanos, messagePollNanos) : pollNanos;
    if (window > 0) {
      awake = true;
      BusyPoller.moved(loop, this, window);
    } else if (awake) {
      awake = false;
      BusyPoller.found(this);
    }
  }

  /** Sends what there is to send; on the way down, ends the output when all is sent. */
  void pump() {
    if (state != State.OPEN && state != State.CLOSING) {
      return;
    }
    try {
      transmitter.pump();
    } catch (StreamFault fault) {
      fail(fault);
      transmitter.pump();
    } catch (InternalError late) {
      truncated();
      return;
    }
    if (state == State.CLOSING && !outputEnded && transmitter.isIdle()) {
      outputEnded = true;
      link.shutdownOutput();
    }
  }

  /** There is something to deliver, or to check, in a turn. */
  void deliverLater() {
    if (!deliveryScheduled && !upcalls.inTurn()) {
      deliveryScheduled = true;
      loop.execute(delivery);
    }
  }

  private void deliverNow() {
    deliveryScheduled = false;
    if (state == State.OPEN || state == State.CLOSING) {
      upcalls.beginTurn();
      endTurn();
    }
  }

  private void endTurn() {
    boolean all = upcalls.deliver(endpoint);
    upcalls.endTurn();
    pump();
    if (!all || upcalls.hasPending()) {
      deliverLater();
    }
  }

  void revokeDeadline(SiwExposure exposure) {
    loop.schedule(() -> {
      if (!exposure.hasEnded()) {
        fail(new StreamFault(TerminateCode.STREAM_CATASTROPHIC,
            "The peer does not take the data of a Read whose memory is being revoked"));
        pump();
      }
    }, settings.revokeTimeoutMillis(), TimeUnit.MILLISECONDS);
  }

  private void handlerThrew(Throwable thrown) {
    fail(new StreamFault(TerminateCode.LOCAL_CATASTROPHIC,
        "The handler of the queue pair threw " + Causes.text(thrown)));
  }

  private void fail(StreamFault fault) {
    if (beginClosing(Kind.LOCAL_ERROR, fault.getMessage()) || state == State.CLOSING) {
      endpoint.fail(fault);
    }
  }

  void terminatedByPeer(TerminateMessage message) {
    beginClosing(new DisconnectReason(Kind.REMOTE_ERROR, "The peer terminated the stream: " + message,
        message.steeringTag()));
    endpoint.stop();
    link.close();
  }

  private boolean beginClosing(Kind kind, String detail) {
    return beginClosing(new DisconnectReason(kind, detail));
  }

  /** Leaves full operation for the first reason that comes. */
  private boolean beginClosing(DisconnectReason why) {
    if (state != State.STARTING && state != State.OPEN) {
      return false;
    }
    boolean wasOpen = state == State.OPEN;
    state = State.CLOSING;
    reason = why;
    if (wasOpen) {
      deadline = loop.schedule(() -> link.close(), settings.closeTimeoutMillis(),
          TimeUnit.MILLISECONDS);
    } else {
      link.close();
    }
    return true;
  }

  Future<Void> close() {
    return Loops.close(loop, this::closeOnLoop, closed.future());
  }

  private void closeOnLoop() {
    if (beginClosing(Kind.LOCAL_CLOSE, "Closed by this side")) {
      endpoint.stop();
      deliverLater();
    }
  }

  @Override
  public void ended(boolean channelClosed, String detail) {
    if (channelClosed) {
      finish(detail);
    } else {
      beginClosing(Kind.REMOTE_CLOSE, detail.isEmpty() ? "The peer closed" : detail);
      endpoint.stop();
      link.close();
    }
  }

  private void finish(String detail) {
    if (state == State.FLUSHING || state == State.GONE) {
      return;
    }
    DisconnectReason last = reason != null ? reason
        : new DisconnectReason(Kind.REMOTE_CLOSE, "The connection was lost: " + detail);
    if (!established && last.kind() != Kind.LOCAL_CLOSE) {
      last = new DisconnectReason(Kind.NOT_ESTABLISHED, last.detail());
    }
    state = State.FLUSHING;
    gate.flushing(endpoint.capacity());
    cancel(deadline);
    nudges.end();
    cancel(fpduDeadline);
    endpoint.stop();
    transmitter.release();
    do {
      upcalls.beginTurn();
      endpoint.endExposures();
      upcalls.flush(endpoint);
      upcalls.endTurn();
    } while (upcalls.hasPending() || endpoint.hasPosted());
    state = State.GONE;
    gate.over();
    upcalls.beginTurn();
    upcalls.disconnected(last);
    upcalls.endTurn();
    closed.complete();
  }

  private static void cancel(ScheduledFuture<?> timer) {
    if (timer != null) {
      timer.cancel(false);
    }
  }

  Future<Void> whenGone() {
    return closed.future();
  }
}
