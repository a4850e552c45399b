package dev.rpcrdma.protocol.channel;

import dev.rpcrdma.protocol.connection.Call;
import dev.rpcrdma.protocol.connection.CallFailure;
import dev.rpcrdma.protocol.connection.CallListener;
import dev.rpcrdma.protocol.connection.ConnectionMachine.CallHandle;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.time.Deadlines;
import dev.rpcrdma.protocol.wire.InstanceId;
import dev.rpcrdma.protocol.xdr.XdrReader;
import java.util.Optional;

/**
 * One call of a channel, on whatever connection.
 *
 * <pre>
 *   WAITING ──line up──▶ GIVEN ──reply, or failure──▶ DONE
 *     ▲  │                 │                           ▲
 *     │  └─────────────────┼─ given up, channel closed ┘
 *     └── line lost, and it may be sent again
 * </pre>
 */
final class ChannelCall extends Deadlines.Entry implements CallListener, CallHandle {

  private enum Phase { WAITING, GIVEN, DONE }

  private final ChannelMachine channel;
  private final Call call;
  private final CallListener listener;
  private final int xid;
  private final boolean idempotent;
  private final long deadline;
  private Phase phase = Phase.WAITING;
  private CallHandle handle;
  /** A connection has taken it on before. */
  private boolean again;
  /** Given up when its connection had already ended it, and was only to tell so. */
  private boolean cancelled;
  /** The peer may have executed it, in that session. */
  private boolean maybeExecuted;
  private Optional<InstanceId> session = Optional.empty();
  /** Of when it was made, in {@link ChannelCalls}. */
  long turn;

  ChannelCall(ChannelMachine channel, Call call, CallListener listener, int xid,
      boolean idempotent, long deadline) {
    this.channel = channel;
    this.call = call;
    this.listener = listener;
    this.xid = xid;
    this.idempotent = idempotent;
    this.deadline = deadline;
  }

  int xid() {
    return xid;
  }

  long deadline() {
    return deadline;
  }

  boolean waiting() {
    return phase == Phase.WAITING;
  }

  /** Whether it may be sent over a line of that session. */
  boolean maySend(Replay replay, Optional<InstanceId> to) {
    return !maybeExecuted || replay == Replay.ALWAYS
        || replay == Replay.SAFE && (idempotent || session.isPresent() && session.equals(to));
  }

  boolean maybeExecuted() {
    return maybeExecuted;
  }

  void give(Line line) {
    phase = Phase.GIVEN;
    boolean sentBefore = again;
    again = true;
    handle = line.call(call, this, xid, sentBefore, deadline);
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
    channel.replied(this);
  }

  @Override
  public void failed(CallFailure failure) {
    boolean lost = failure.kind() == CallFailure.Kind.CONNECTION_LOST
        || failure.kind() == CallFailure.Kind.CLOSED;
    if (lost && failure.sent()) {
      maybeExecuted = true;
      session = channel.session();
    }
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
    boolean waited = waiting();
    phase = Phase.DONE;
    channel.ended(this, waited);
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
