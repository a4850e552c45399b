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
import dev.rpcrdma.verbs.support.BusyPoller;
import dev.rpcrdma.verbs.support.CompletionSource;
import dev.rpcrdma.verbs.support.EmptyWriteProbe;
import dev.rpcrdma.verbs.support.GuardedCopy;
import dev.rpcrdma.verbs.support.Loops;
import dev.rpcrdma.verbs.support.PairLife;
import dev.rpcrdma.verbs.support.PairLife.State;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.nio.ByteBuffer;
import java.security.cert.Certificate;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * One queue pair on its event loop: receiving, sending, and the ways to end.
 *
 * <p>Ending: {@code close()} sends what was flushed and then its FIN; an error of either side sends
 * at most a Terminate and then the FIN (RFC 5040 §6.2.1). The peer's FIN, or a deadline, closes the
 * channel. Once it is closed nothing refers to the consumer's memory, so all work requests
 * complete, all exposures end, and {@code disconnected} is the last upcall.
 */
final class SiwConnection implements Link.Phase, PairLife.Provider {

  private final Link link;
  private final EventLoop loop;
  private final SiwOptions settings;
  private final long pollNanos;
  private final long messagePollNanos;
  private final PairLife life;
  private final EmptyWriteProbe nudges;
  private RdmapEndpoint endpoint;
  private Transmitter transmitter;
  private boolean outputEnded;
  /** A part of an FPDU has come. */
  private boolean midFpdu;
  /** Reads that have completed an FPDU. */
  private long progress;
  /** The loop was kept awake for this. */
  private boolean awake;
  private ScheduledFuture<?> deadline;
  private ScheduledFuture<?> fpduDeadline;

  SiwConnection(Context context, Link link, SiwOptions settings, boolean initiator) {
    this.link = link;
    this.loop = link.eventLoop();
    this.settings = settings;
    this.pollNanos = TimeUnit.MICROSECONDS.toNanos(settings.busyPollMicros());
    this.messagePollNanos = TimeUnit.MICROSECONDS.toNanos(settings.messagePollMicros());
    this.life = new PairLife(context, this);
    this.nudges = new EmptyWriteProbe(loop, initiator ? settings.nudgeMillis() : 0, this::nudge);
  }

  void attach(RdmapEndpoint value) {
    endpoint = value;
    transmitter = new Transmitter(link, endpoint,
        Mulpdu.of(link.localAddress(), link.remoteAddress(), endpoint.encoder().mustCopy()),
        life::turnLater);
  }

  List<Certificate> peerCertificates() {
    return link.peerCertificates();
  }

  List<Certificate> localCertificates() {
    return link.localCertificates();
  }

  PairLife life() {
    return life;
  }

  /** Startup is over: full operation begins, unless the consumer has closed meanwhile. */
  boolean open() {
    if (!life.open()) {
      return false;
    }
    nudges.begin();
    return true;
  }

  private void nudge() {
    if (life.isOpen()) {
      endpoint.nudge();
      pump();
    }
  }

  @Override
  public int received(ByteBuffer in, int from, int to) {
    if (!life.isOpen()) {
      return to;
    }
    nudges.heard();
    life.upcalls().beginTurn();
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
    if (life.upcalls().inTurn()) {
      life.endTurn();
      stayAwake();
      watchFpdu();
    }
  }

  /** What has come of an FPDU pins a staging buffer, so its rest has to come as well. */
  private void watchFpdu() {
    if (midFpdu && life.isOpen() && fpduDeadline == null) {
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
    if (!life.sends()) {
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
    if (life.state() == State.CLOSING && !outputEnded && transmitter.isIdle()) {
      outputEnded = true;
      link.shutdownOutput();
    }
  }

  @Override
  public CompletionSource completions() {
    return endpoint;
  }

  @Override
  public int capacity() {
    return endpoint.capacity();
  }

  @Override
  public void turnEnded() {
    pump();
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

  @Override
  public void fail(String detail) {
    fail(new StreamFault(TerminateCode.LOCAL_CATASTROPHIC, detail));
  }

  private void fail(StreamFault fault) {
    if (beginClosing(Kind.LOCAL_ERROR, fault.getMessage()) || life.state() == State.CLOSING) {
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

  private boolean beginClosing(DisconnectReason why) {
    boolean wasOpen = life.isOpen();
    if (!life.beginClosing(why)) {
      return false;
    }
    if (wasOpen) {
      deadline = loop.schedule(() -> link.close(), settings.closeTimeoutMillis(),
          TimeUnit.MILLISECONDS);
    } else {
      link.close();
    }
    return true;
  }

  Future<Void> close() {
    return Loops.close(loop, this::closeOnLoop, life.whenGone());
  }

  private void closeOnLoop() {
    if (beginClosing(Kind.LOCAL_CLOSE, "Closed by this side")) {
      endpoint.stop();
      life.turnLater();
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
    if (life.state() == State.FLUSHING || life.state() == State.GONE) {
      return;
    }
    life.because(new DisconnectReason(Kind.REMOTE_CLOSE, "The connection was lost: " + detail));
    cancel(deadline);
    nudges.end();
    cancel(fpduDeadline);
    endpoint.stop();
    transmitter.release();
    life.finish();
  }

  @Override
  public void endWork() {
    endpoint.endExposures();
  }

  @Override
  public boolean hasPosted() {
    return endpoint.hasPosted();
  }

  private static void cancel(ScheduledFuture<?> timer) {
    if (timer != null) {
      timer.cancel(false);
    }
  }
}
