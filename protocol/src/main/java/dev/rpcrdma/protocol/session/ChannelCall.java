// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.session;

import dev.rpcrdma.protocol.binding.Replay;
import dev.rpcrdma.protocol.binding.ResultRoom;
import dev.rpcrdma.protocol.requester.Call;
import dev.rpcrdma.protocol.requester.CallHandle;
import dev.rpcrdma.protocol.requester.CallHead;
import dev.rpcrdma.protocol.requester.CallStage;
import dev.rpcrdma.protocol.requester.OutboundCall;
import dev.rpcrdma.protocol.requester.Outcome;
import dev.rpcrdma.protocol.requester.Outcome.Kind;
import dev.rpcrdma.protocol.requester.ResultBounds;
import dev.rpcrdma.protocol.time.Deadlines;
import dev.rpcrdma.protocol.wire.InstanceId;
import dev.rpcrdma.protocol.xdr.PayloadStream;
import java.util.List;
import java.util.Optional;

/**
 * A call that a channel makes, over one connection after the other: stands between its caller and what carries it, and
 * tells the caller of one outcome.
 *
 * <pre>
 *   WAITING ──line up──▶ GIVEN ──reply, or failure──▶ DONE
 *     ▲  │                 │                           ▲
 *     │  └─────────────────┼─ given up, channel closed ┘
 *     └── line lost, and it may be sent again
 * </pre>
 *
 * <p>One that had a reply, and nothing else happened to it, is used again for another call: with what carries it it is
 * most of what a small call would leave to the garbage collector. Its caller has no way to it any more by then.
 */
public final class ChannelCall implements Call, CallHandle {

  private enum Phase { WAITING, GIVEN, DONE }

  private final ChannelMachine channel;
  private final OutboundCall carried = OutboundCall.lasting(this);
  /** Null while it is nobody's. */
  private Call call;
  private Repetition repetition;
  private long deadline;
  private long turn;
  private Phase phase = Phase.DONE;
  /** Ends its wait for a connection; null if it has never waited for any. */
  private Deadlines.Entry timer;
  /** The line that it was given to last. */
  private Line line;
  /** Given up when its connection had already ended it, and was only to tell so. */
  private boolean cancelled;
  /** The peer may have executed it. */
  private boolean maybeExecuted;
  /** The session of the connection that it was given to last. */
  private Optional<InstanceId> session = Optional.empty();

  ChannelCall(ChannelMachine channel) {
    this.channel = channel;
  }

  /**
   * Begins to wait for a connection.
   *
   * @param number lower than that of calls made later
   */
  void begin(Call made, Repetition may, long until, long number) {
    call = made;
    repetition = may;
    deadline = until;
    turn = number;
    phase = Phase.WAITING;
  }

  long deadline() {
    return deadline;
  }

  /** Lower than that of calls made later. */
  long turn() {
    return turn;
  }

  boolean waiting() {
    return phase == Phase.WAITING;
  }

  /** What ends its wait for a connection. */
  Deadlines.Entry timer() {
    if (timer == null) {
      timer = new Deadlines.Entry() {
        @Override
        protected void expired(long now) {
          end(new Outcome.Failed(Kind.TIMEOUT, "No connection within the call's timeout"));
        }
      };
    }
    return timer;
  }

  /**
   * Whether it may be sent to a peer that shows that session. A call that was sent before may still be under
   * way over the connection that is lost, and only the session which it was sent in keeps it from being
   * executed there, too.
   */
  boolean maySend(Replay replay, Optional<InstanceId> to) {
    return !maybeExecuted || replay == Replay.ALWAYS
        || replay == Replay.SAFE && (repetition.isHarmless() || session.isPresent() && session.equals(to));
  }

  boolean maybeExecuted() {
    return maybeExecuted;
  }

  /** Whether another peer may have the call: it was not sent, or may be sent there, too. */
  boolean mayGoElsewhere() {
    return !maybeExecuted || repetition.isPossibleElsewhere();
  }

  void give(Line to) {
    phase = Phase.GIVEN;
    // What is stored in an old object costs a memory barrier.
    if (line != to) {
      line = to;
    }
    if (session != channel.session()) {
      session = channel.session();
    }
    to.call(carried, deadline);
  }

  /** Its XID means something to a peer that shows the session which it was sent in. */
  void keepXidIf(Optional<InstanceId> shown) {
    if (!session.equals(shown)) {
      dropXid();
    }
  }

  /** The peer knows nothing of its XID: it gets another one if it is sent again. */
  void dropXid() {
    carried.endXid();
  }

  // What it says

  @Override
  public CallHead head() {
    return call.head();
  }

  @Override
  public PayloadStream arguments() {
    return call.arguments();
  }

  @Override
  public List<? extends ResultRoom> rooms() {
    return call.rooms();
  }

  @Override
  public ResultBounds bounds() {
    return call.bounds();
  }

  // What becomes of it on a connection

  @Override
  public void reached(CallStage stage) {
    call.reached(stage);
  }

  /** Hears how it has ended on one connection, which tells it once. */
  @Override
  public void outcome(Outcome outcome) {
    if (outcome instanceof Outcome.Failed failure) {
      failed(failure);
      return;
    }
    phase = Phase.DONE;
    channel.replied();
    Call told = call;
    if (!maybeExecuted && !cancelled && carried.renew()) {
      call = null;
    }
    told.outcome(outcome);
    if (call == null) {
      channel.useAgain(this);
    }
  }

  private void failed(Outcome.Failed failure) {
    boolean lost = failure.kind() == Kind.CONNECTION_LOST || failure.kind() == Kind.CLOSED;
    boolean sentBefore = maybeExecuted;
    maybeExecuted |= failure.sent();
    if (sentBefore && failure.kind() == Kind.REMOTE_ERROR) {
      end(notKept());
    } else if (lost && cancelled) {
      end(failure.ofCancelled());
    } else if (lost && channel.waitForNext(this)) {
      phase = Phase.WAITING;
    } else {
      end(failure);
    }
  }

  /** Explains the refusal of a call that came again: it was mostly executed, since its size was no reason before. */
  private static Outcome.Failed notKept() {
    return new Outcome.Failed(Kind.REMOTE_ERROR, "The call was sent again after its connection was lost, and the peer"
        + " could not process it (ERR_CHUNK). The peer has probably executed it before, and not kept its reply: raise"
        + " replyCacheBytes of the peer, or largeReplyCacheBytes for replies that are pulled, or declare the procedure"
        + " idempotent if it is", true);
  }

  /** Ends it without a reply. */
  void end(Outcome.Failed failure) {
    phase = Phase.DONE;
    dropXid();
    channel.ended(this);
    call.outcome(maybeExecuted ? failure.maybeExecuted() : failure);
  }

  // Giving up

  @Override
  public void cancel(Call made, long now) {
    if (made == call) {
      cancel(now);
    }
  }

  void cancel(long now) {
    if (waiting()) {
      end(new Outcome.Failed(Kind.CANCELLED, "The call was cancelled"));
    } else if (phase == Phase.GIVEN) {
      cancelled = true;
      line.cancel(carried, now);
    }
  }
}
