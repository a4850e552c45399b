// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.session;

import dev.rpcrdma.protocol.binding.Replay;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.requester.CallFailure;
import dev.rpcrdma.protocol.requester.CallFailure.Kind;
import dev.rpcrdma.protocol.requester.OutboundCall;
import dev.rpcrdma.protocol.wire.InstanceId;
import dev.rpcrdma.protocol.xdr.XdrReader;
import java.util.Optional;

/**
 * A call that may be sent over one connection after the other: if a channel makes it; if a connection does, it is
 * that connection's alone.
 *
 * <pre>
 *   WAITING ──line up──▶ GIVEN ──reply, or failure──▶ DONE
 *     ▲  │                 │                           ▲
 *     │  └─────────────────┼─ given up, channel closed ┘
 *     └── line lost, and it may be sent again
 * </pre>
 *
 * <p><b>Outcome.</b> Exactly one of {@link #replied}, {@link #rejected} and {@link #failed}.
 */
public abstract class ChannelCall extends OutboundCall {

  private enum Phase { WAITING, GIVEN, DONE }

  /** Null if a connection makes it by itself. */
  private ChannelMachine channel;
  private boolean readOnly;
  private long deadline;
  private long turn;
  private Phase phase = Phase.GIVEN;
  /** Given up when its connection had already ended it, and was only to tell so. */
  private boolean cancelled;
  /** The peer may have executed it. */
  private boolean maybeExecuted;
  /** The session of the connection that it was given to last. */
  private Optional<InstanceId> session = Optional.empty();

  /** A channel is to make it. */
  void begin(ChannelMachine by, boolean harmless, long until, long number) {
    channel = by;
    readOnly = harmless;
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

  /**
   * Whether it may be sent to a peer that shows that session. A call that was sent before may still be under
   * way over the connection that is lost, and only the session which it was sent in keeps it from being
   * executed there, too.
   */
  boolean maySend(Replay replay, Optional<InstanceId> to) {
    return !maybeExecuted || replay == Replay.ALWAYS
        || replay == Replay.SAFE && (readOnly || session.isPresent() && session.equals(to));
  }

  boolean maybeExecuted() {
    return maybeExecuted;
  }

  /**
   * Whether another peer may have the call: it was not sent; or executing it twice does no harm, or is prevented, and
   * nothing binds it to its peer.
   */
  boolean mayGoElsewhere() {
    return !maybeExecuted || !belongsToPeer() && (readOnly || knownToAllPeers());
  }

  /**
   * Whether the peer was chosen because of what it keeps: a call that was sent waits for it.
   *
   * @return false if any other one will do
   */
  protected boolean belongsToPeer() {
    return false;
  }

  /**
   * Whether all peers together execute it once at most.
   *
   * @return false if each of them knows its own calls alone
   */
  protected boolean knownToAllPeers() {
    return false;
  }

  void give(Line line) {
    phase = Phase.GIVEN;
    session = channel.session();
    line.call(this, deadline);
  }

  /** Its XID means something to a peer that shows the session which it was sent in. */
  void keepXidIf(Optional<InstanceId> shown) {
    if (!session.equals(shown)) {
      dropXid();
    }
  }

  /** The peer knows nothing of its XID: it gets another one if it is sent again. */
  void dropXid() {
    endXid();
  }

  @Override
  protected final boolean outlivesConnection() {
    return channel != null;
  }

  // What becomes of it on a connection

  @Override
  protected final void onReply(XdrReader results) {
    heard();
    replied(results);
  }

  @Override
  protected final void onRejection(ReplyHeader header) {
    heard();
    rejected(header);
  }

  private void heard() {
    // A connection tells each of its calls once, and this call is on one connection at a time.
    phase = Phase.DONE;
    if (channel != null) {
      channel.replied();
    }
  }

  @Override
  protected final void onFailure(CallFailure failure) {
    boolean lost = failure.kind() == Kind.CONNECTION_LOST || failure.kind() == Kind.CLOSED;
    boolean sentBefore = maybeExecuted;
    maybeExecuted |= failure.sent();
    if (sentBefore && failure.kind() == Kind.REMOTE_ERROR) {
      end(notKept());
    } else if (lost && cancelled) {
      end(new CallFailure(Kind.CANCELLED, "The call was cancelled", failure.sent()));
    } else if (lost && channel != null && channel.waitForNext(this)) {
      phase = Phase.WAITING;
    } else {
      end(failure);
    }
  }

  /** Explains the refusal of a call that came again: it was mostly executed, since its size was no reason before. */
  private static CallFailure notKept() {
    return new CallFailure(Kind.REMOTE_ERROR, "The call was sent again after its connection was lost, and the peer"
        + " could not process it (ERR_CHUNK). The peer has probably executed it before, and not kept its reply: raise"
        + " replyCacheBytes of the peer, or largeReplyCacheBytes for replies that are pulled, or declare the procedure"
        + " idempotent if it is", true);
  }

  /** Its one outcome, other than a reply. */
  void end(CallFailure failure) {
    phase = Phase.DONE;
    dropXid();
    if (channel != null) {
      channel.ended(this);
    }
    failed(maybeExecuted && !failure.sent()
        ? new CallFailure(failure.kind(), failure.message(), true) : failure);
  }

  // Its outcome

  /**
   * The peer has executed the call.
   *
   * @param results what follows the reply's head; valid only during this call, as are its data items
   *     unless they are retained
   */
  protected abstract void replied(XdrReader results);

  /**
   * The peer replied that it did not execute the call, or could not.
   *
   * @param header the reply's head, which says why
   */
  protected abstract void rejected(ReplyHeader header);

  /**
   * There is no reply.
   *
   * @param failure why
   */
  protected abstract void failed(CallFailure failure);

  // Giving up

  @Override
  protected final void expired(long now) {
    if (waiting()) {
      end(new CallFailure(Kind.TIMEOUT, "No connection within the call's timeout"));
    } else {
      super.expired(now);
    }
  }

  @Override
  public void cancel(long now) {
    if (waiting()) {
      end(new CallFailure(Kind.CANCELLED, "The call was cancelled"));
    } else {
      cancelled = true;
      super.cancel(now);
    }
  }
}
