package dev.rpcrdma.protocol.session;

import dev.rpcrdma.protocol.binding.Replay;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.requester.Call;
import dev.rpcrdma.protocol.requester.CallFailure;
import dev.rpcrdma.protocol.requester.CallHandle;
import dev.rpcrdma.protocol.requester.CallListener;
import dev.rpcrdma.protocol.requester.XidSlots;
import dev.rpcrdma.protocol.time.Deadlines;
import dev.rpcrdma.protocol.wire.InstanceId;
import dev.rpcrdma.protocol.xdr.XdrReader;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * One call of a channel, on whatever connection.
 *
 * <pre>
 *   WAITING ──line up──▶ GIVEN ──reply, or failure──▶ DONE
 *     ▲  │                 │                           ▲
 *     │  └─────────────────┼─ given up, channel closed ┘
 *     └── line lost, and it may be sent again
 * </pre>
 *
 * <p>While it waits to be sent again it owns the XID that it was sent with; else its connection does.
 */
final class ChannelCall extends Deadlines.Entry implements CallListener, CallHandle {

  private enum Phase { WAITING, GIVEN, DONE }

  private final ChannelMachine channel;
  private final Call call;
  private final CallListener listener;
  private final boolean readOnly;
  private final long deadline;
  private final long turn;
  private Phase phase = Phase.WAITING;
  private CallHandle handle;
  /** A connection has taken it on before. */
  private boolean again;
  /** Given up when its connection had already ended it, and was only to tell so. */
  private boolean cancelled;
  /** The peer may have executed it. */
  private boolean maybeExecuted;
  /** The session of the connection that it was given to last. */
  private Optional<InstanceId> session = Optional.empty();
  /** Where its XID comes from; null if it has none. */
  private XidSlots xids;
  private int xid;

  ChannelCall(ChannelMachine channel, Call call, CallListener listener, boolean readOnly,
      long deadline, long turn) {
    this.channel = channel;
    this.call = call;
    this.listener = listener;
    this.readOnly = readOnly;
    this.deadline = deadline;
    this.turn = turn;
  }

  Call call() {
    return call;
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

  void give(Line line) {
    phase = Phase.GIVEN;
    session = channel.session();
    OptionalInt sentWith = xids == null ? OptionalInt.empty() : OptionalInt.of(xid);
    xids = null;
    boolean takenOnBefore = again;
    again = true;
    handle = line.call(call, this, sentWith, takenOnBefore, deadline);
  }

  @Override
  public boolean keep(XidSlots of, int sentWith) {
    xids = of;
    xid = sentWith;
    return true;
  }

  /** Its XID means something to a peer that shows the session which it was sent in. */
  void keepXidIf(Optional<InstanceId> shown) {
    if (!session.equals(shown)) {
      dropXid();
    }
  }

  /** The peer knows nothing of its XID: it gets another one if it is sent again. */
  void dropXid() {
    if (xids != null) {
      xids.free(xid);
      xids = null;
    }
  }

  @Override
  public void replied(XdrReader results) {
    heard();
    listener.replied(results);
  }

  @Override
  public void rejected(ReplyHeader header) {
    heard();
    listener.rejected(header);
  }

  private void heard() {
    // A connection tells each of its calls once, and this call is on one connection at a time.
    phase = Phase.DONE;
    channel.replied();
  }

  @Override
  public void failed(CallFailure failure) {
    boolean lost = failure.kind() == CallFailure.Kind.CONNECTION_LOST
        || failure.kind() == CallFailure.Kind.CLOSED;
    maybeExecuted |= failure.sent();
    if (lost && cancelled) {
      end(new CallFailure(CallFailure.Kind.CANCELLED, "The call was cancelled", failure.sent()));
    } else if (lost && channel.waitForNext(this)) {
      phase = Phase.WAITING;
    } else {
      end(failure);
    }
  }

  /** Its one outcome, other than a reply. */
  void end(CallFailure failure) {
    phase = Phase.DONE;
    dropXid();
    channel.ended(this);
    listener.failed(maybeExecuted && !failure.sent()
        ? new CallFailure(failure.kind(), failure.message(), true) : failure);
  }

  @Override
  protected void expired(long now) {
    end(new CallFailure(CallFailure.Kind.TIMEOUT, "No connection within the call's timeout"));
  }

  @Override
  public void cancel(long now) {
    switch (phase) {
      case WAITING ->
          end(new CallFailure(CallFailure.Kind.CANCELLED, "The call was cancelled"));
      case GIVEN -> {
        cancelled = true;
        handle.cancel(now);
      }
      default -> { }
    }
  }
}
