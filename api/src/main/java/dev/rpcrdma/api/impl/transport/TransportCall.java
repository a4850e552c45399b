// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.transport;

import dev.rpcrdma.api.RpcException;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcTransportException;
import dev.rpcrdma.api.impl.call.Attempt;
import dev.rpcrdma.api.impl.loop.LoopDeadlines;
import dev.rpcrdma.api.spi.OutgoingCall;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.requester.Call;
import dev.rpcrdma.protocol.requester.CallHandle;
import dev.rpcrdma.protocol.requester.Outcome;
import dev.rpcrdma.protocol.time.Deadlines;
import dev.rpcrdma.protocol.wire.Metadata;
import dev.rpcrdma.protocol.xdr.PayloadStream;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.verbs.vertx.Contexts;
import java.util.concurrent.Callable;

/** A call on its way by a transport, until the first of all that may end it. On the caller's loop. */
final class TransportCall implements OutgoingCall, CallHandle {

  private final TransportCallerImpl caller;
  private final Attempt<?> call;
  private final int xid;
  private final long deadline;
  private final Deadlines.Entry timer = new Deadlines.Entry() {
    @Override
    protected void expired(long now) {
      timedOut();
    }
  };
  private boolean sent;
  private boolean over;

  TransportCall(TransportCallerImpl caller, Attempt<?> call, int xid) {
    this.caller = caller;
    this.call = call;
    this.xid = xid;
    this.deadline = System.nanoTime() + call.timeoutNanos();
  }

  void begin() {
    deadlines().add(timer, deadline);
  }

  private Deadlines deadlines() {
    return LoopDeadlines.of(Contexts.eventLoop(caller.context()));
  }

  Attempt<?> attempt() {
    return call;
  }

  boolean sent() {
    return sent;
  }

  /** Tells whether this is what ends it. */
  private boolean end() {
    if (over) {
      return false;
    }
    over = true;
    deadlines().remove(timer);
    caller.ended(this);
    return true;
  }

  private void end(Outcome.Kind kind, String message) {
    if (end()) {
      call.outcome(new Outcome.Failed(kind, message, sent));
    }
  }

  @Override
  public void cancel(Call made, long now) {
    Contexts.emit(caller.context(), this, TransportCall::giveUp);
  }

  private void giveUp() {
    boolean there = !over;
    end(Outcome.Kind.CANCELLED, "The call was cancelled");
    if (there && sent) {
      caller.tellGivenUp(this);
    }
  }

  /** The caller is closed. */
  void close(RpcException failure) {
    boolean tell = !over && sent;
    failed(failure);
    if (tell) {
      caller.tellGivenUp(this);
    }
  }

  @Override
  public void timedOut() {
    end(Outcome.Kind.TIMEOUT, "No reply within the call's timeout");
  }

  @Override
  public void failed(RpcException failure) {
    if (end()) {
      call.fail(failure);
    }
  }

  @Override
  public void rejected(ReplyHeader header) {
    if (nanosLeft() <= 0 && header instanceof ReplyHeader.Accepted accepted
        && accepted.status() == AcceptStatus.SYSTEM_ERR) {
      // The peer knows the deadline, and its answer may be here before the deadline is heard of.
      timedOut();
    } else if (end()) {
      call.outcome(new Outcome.Rejected(header, Outcome.UNKNOWN));
    }
  }

  @Override
  public void replied(Callable<XdrReader> results, boolean byWorker) {
    if (!end()) {
      return;
    }
    if (byWorker) {
      caller.context().executeBlocking(() -> {
        read(results);
        return null;
      }, false).onFailure(e -> call.fail(unreadable(e)));
    } else {
      read(results);
    }
  }

  private void read(Callable<XdrReader> results) {
    XdrReader reader;
    try {
      reader = results.call();
    } catch (Throwable e) {
      call.fail(unreadable(e));
      return;
    }
    call.outcome(new Outcome.Reply(reader, Outcome.UNKNOWN));
  }

  private RpcTransportException unreadable(Throwable cause) {
    return new RpcTransportException("The reply to " + request().describe() + " cannot be read: " + cause, true);
  }

  @Override
  public boolean sending() {
    sent |= !over;
    return !over;
  }

  @Override
  public RpcRequest<?> request() {
    return call.request();
  }

  @Override
  public int xid() {
    return xid;
  }

  @Override
  public PayloadStream arguments() {
    return call.arguments();
  }

  @Override
  public Metadata metadata() {
    return call.metadata().length == 0 ? Metadata.NONE : Metadata.decode(call.metadata());
  }

  @Override
  public OpaqueAuth credentials() {
    return call.credential();
  }

  @Override
  public long nanosLeft() {
    return deadline - System.nanoTime();
  }
}
