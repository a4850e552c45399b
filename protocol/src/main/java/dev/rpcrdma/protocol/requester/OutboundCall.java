package dev.rpcrdma.protocol.requester;

import dev.rpcrdma.protocol.chunk.CallPlan;
import dev.rpcrdma.protocol.fabric.ConnectionCore;
import dev.rpcrdma.protocol.fabric.Counters;
import dev.rpcrdma.protocol.fabric.Transmission;
import dev.rpcrdma.protocol.message.ExposedChunk;
import dev.rpcrdma.protocol.message.ExposedChunks;
import dev.rpcrdma.protocol.message.MessageHead;
import dev.rpcrdma.protocol.oncrpc.CallHeader;
import dev.rpcrdma.protocol.requester.CallFailure.Kind;
import dev.rpcrdma.protocol.wire.ChunkLists;
import dev.rpcrdma.protocol.wire.RawHeader;
import dev.rpcrdma.protocol.xdr.PayloadStream;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * One call on one connection.
 *
 * <pre>
 *   QUEUED ──credit──▶ PREPARING ──all exposed──▶ SENT ──reply, all revoked──────▶ DONE
 *     │                    │                        │                                ▲
 *     │                    │ given up, or failed    │ given up                       │
 *     └──── given up ──────┴──────────▶ DONE        └──▶ LATE ──reply, all revoked ──┘
 * </pre>
 *
 * <p>A call that is given up after it was sent stays in the requester's table, and keeps its credit,
 * until the reply or the loss of the connection; of its caller it keeps nothing. Memory of the
 * application is revoked at once, and its owner hears after that; memory of the pool is set aside, for a
 * while.
 */
final class OutboundCall extends Outstanding
    implements Transmission, MessageHead, CallHandle {

  private enum Phase { QUEUED, PREPARING, SENT, LATE, DONE }

  private final Requester requester;
  private final ConnectionCore core;
  /** Null when nothing of it is needed any more. */
  private Call call;
  /** Null once it has heard. */
  private CallListener listener;
  /** Whether a connection that is lost has sent it. */
  private final boolean sentBefore;
  /** Whether it has an XID, which is this connection's to give back. */
  private boolean hasXid;
  private ExposedChunks chunks = ExposedChunks.NONE;
  private Phase phase = Phase.QUEUED;
  private int xid;
  private CallPlan plan;
  /** It will not be sent, though memory may still be in preparation. */
  private boolean abandoned;
  /** What the listener hears as soon as the memory of the application is out of the peer's reach. */
  private CallFailure unheard;
  /** Whether the peer may have seen it. */
  private boolean posted;
  private long bytesSetAside;

  OutboundCall(Requester requester, ConnectionCore core, Call call, CallListener listener,
      OptionalInt givenXid) {
    this.requester = requester;
    this.core = core;
    this.sentBefore = givenXid.isPresent();
    this.call = call;
    this.listener = listener;
    this.hasXid = givenXid.isPresent();
    this.xid = givenXid.orElse(0);
  }

  Call call() {
    return call;
  }

  CallListener listener() {
    return listener;
  }

  boolean hasXid() {
    return hasXid;
  }

  ExposedChunks chunks() {
    return chunks;
  }

  @Override
  int xid() {
    return xid;
  }

  /** Whether a reply may be matched to it. */
  boolean sent() {
    return posted && (phase == Phase.SENT || phase == Phase.LATE);
  }

  @Override
  boolean owed() {
    return phase == Phase.SENT || !abandoned && (phase == Phase.QUEUED
        || phase == Phase.PREPARING);
  }

  @Override
  public int headLength() {
    return CallHeader.length(call.credential());
  }

  @Override
  public void writeHead(ByteBuffer target) {
    CallHeader.write(target, xid, call.program(), call.version(), call.procedure(),
        call.credential());
  }

  // Sending

  /** It is about to be sent, and has an XID from now on. */
  void takeXid() {
    if (!hasXid) {
      xid = requester.xids().take();
      hasXid = true;
    }
  }

  /** Its XID is of no use any more. */
  void endXid() {
    if (hasXid) {
      hasXid = false;
      requester.xids().free(xid);
    }
  }

  /**
   * The connection can carry the call no more: whoever waits for its outcome may send it again, with the
   * same XID if it was sent with that.
   */
  private void handXidOver() {
    if (hasXid && (sentBefore || posted) && listener.keep(requester.xids(), xid)) {
      hasXid = false;
    }
  }

  void prepare(CallPlan callPlan) {
    plan = callPlan;
    if (plan == CallPlan.INLINE && core.open()) {
      submit();
      return;
    }
    phase = Phase.PREPARING;
    chunks = new ExposedChunks(core.memory(), core.exposures());
    chunks.prepare(plan, this, call.arguments(), call.placedResults(), core.settings(), this::prepared);
  }

  private void submit() {
    phase = Phase.SENT;
    core.outbox().submit(this);
  }

  private void prepared(Optional<String> problem) {
    if (!abandoned && problem.isEmpty() && core.open()) {
      submit();
      return;
    }
    if (!abandoned) {
      abandoned = true;
      core.deadlines().remove(this);
      unheard = new CallFailure(
          core.open() && !core.exposures().ending() ? Kind.RESOURCES : Kind.CONNECTION_LOST,
          problem.orElse("The connection ended before the call was sent"));
    }
    neverSent();
  }

  @Override
  public int encode(ByteBuffer target) {
    posted = true;
    boolean longCall = plan.longCall();
    // every call says how many credits this end would like.
    RawHeader.write(target, xid, core.settings().creditsRequested(),
        longCall ? RawHeader.RDMA_NOMSG : RawHeader.RDMA_MSG);
    chunks.lists().write(target);
    int start = target.position();
    if (!longCall) {
      writeHead(target);
      if (plan.reduceArguments()) {
        PayloadStream arguments = call.arguments();
        arguments.copyTo(target, index -> ExposedChunks.reduced(plan, arguments, index));
      } else {
        call.arguments().copyTo(target);
      }
    }
    chunks.count(core.counters());
    Counters counters = core.counters();
    counters.callsSent++;
    counters.sentLong += longCall ? 1 : 0;
    counters.sentInline += longCall ? 0 : 1;
    counters.bytesSent += target.position() - start;
    return target.position();
  }

  /** Its arguments have been released while it waited. */
  @Override
  public void encodingFailed(RuntimeException cause) {
    posted = false;
    core.deadlines().remove(this);
    unheard = new CallFailure(Kind.RESOURCES, "The arguments cannot be sent: " + cause.getMessage());
    neverSent();
  }

  /** The peer has heard nothing of this call: what was exposed for it is just taken back. */
  private void neverSent() {
    phase = Phase.DONE;
    requester.neverSent(this);
    if (unheard != null && unheard.kind() == Kind.CONNECTION_LOST) {
      handXidOver();
    }
    endXid();
    if (unheard != null) {
      tellBehindFence(unheard);
    }
    call = null;
    end(() -> {});
  }

  // Outcomes

  /** A reply has come, with sound lists. */
  void reply(ChunkLists lists, boolean inline, ByteBuffer payload) {
    if (phase == Phase.LATE) {
      late();
      return;
    }
    Optional<String> problem = ReturnedChunks.problem(chunks.lists(), lists, inline);
    if (problem.isPresent()) {
      badReply(problem.get());
      return;
    }
    phase = Phase.DONE;
    // The Receive may be posted again before a fence is up, so inline bytes are copied.
    ByteBuffer kept = inline ? requester.inlineCopies().copy(payload) : payload;
    if (chunks.isEmpty()) {
      // Nothing to fence.
      requester.fencingStarted();
      try {
        deliver(lists, inline, kept);
      } finally {
        requester.fencingEnded();
      }
    } else {
      end(() -> deliver(lists, inline, kept));
    }
  }

  private void deliver(ChunkLists lists, boolean inline, ByteBuffer payload) {
    boolean viewed = Results.deliver(this, lists, inline, payload, core.counters());
    if (inline && !viewed) {
      requester.inlineCopies().giveBack(payload);
    }
  }

  void remoteError(String message) {
    fail(new CallFailure(Kind.REMOTE_ERROR, message, true));
  }

  void badReply(String problem) {
    fail(new CallFailure(Kind.BAD_REPLY, "The peer's reply breaks RFC 8166: " + problem,
        true));
  }

  void connectionLost(String reason) {
    CallFailure failure = new CallFailure(Kind.CONNECTION_LOST, reason, posted);
    if (owed()) {
      handXidOver();
    }
    endXid();
    if (phase != Phase.PREPARING) {
      fail(failure);
    } else if (listener != null) {
      // No exposure has outlived the connection.
      abandoned = true;
      chunks.stopPreparing();
      chunks.free(ExposedChunk::ofApplication);
      tell(unheard != null ? unheard : failure);
    }
  }

  /** The call has ended, without a reply that its listener can use. */
  private void fail(CallFailure failure) {
    if (phase == Phase.LATE) {
      late();
    } else if (phase != Phase.DONE) {
      phase = Phase.DONE;
      end(() -> tell(failure));
    }
  }

  /** Fails a call that was not taken on, or waits for a credit. */
  void refuse(Kind kind, String message) {
    phase = Phase.DONE;
    if (kind == Kind.CLOSED) {
      handXidOver();
    }
    endXid();
    tell(new CallFailure(kind, message));
  }

  /** The outcome, if it is not a reply. */
  private void tell(CallFailure failure) {
    CallListener told = listener;
    listener = null;
    unheard = null;
    if (phase != Phase.PREPARING) {
      call = null;
    }
    told.failed(failure);
  }

  /**
   * the owner of memory gets it back, and hears, when the peer cannot reach it; the pool does
   * not mind.
   */
  private void tellBehindFence(CallFailure failure) {
    requester.fencingStarted();
    chunks.whenEnded(ExposedChunk::ofApplication, () -> {
      chunks.free(ExposedChunk::ofApplication);
      try {
        tell(failure);
      } finally {
        requester.fencingEnded();
      }
    });
  }

  /** Revokes everything, then tells the listener, then frees what was not handed over. */
  private void end(Runnable outcome) {
    requester.fencingStarted();
    chunks.whenEnded(chunk -> true, () -> {
      try {
        outcome.run();
      } finally {
        // Whatever the listener throws, memory is not its business.
        chunks.free(chunk -> true);
        requester.fencingEnded();
      }
    });
  }

  // Giving up

  @Override
  protected void expired(long now) {
    if (phase == Phase.LATE) {
      // The time to live of memory set aside is over: a peer that writes there now loses the
      // connection.
      releaseSetAside();
      chunks.whenEnded(chunk -> true, () -> chunks.free(chunk -> true));
    } else {
      giveUp(new CallFailure(Kind.TIMEOUT, "No reply within the call's timeout"), now);
    }
  }

  @Override
  public void cancel(long now) {
    if (owed()) {
      core.deadlines().remove(this);
      giveUp(new CallFailure(Kind.CANCELLED, "The call was cancelled"), now);
    }
  }

  private void giveUp(CallFailure failure, long now) {
    switch (phase) {
      case QUEUED -> {
        requester.neverSent(this);
        refuse(failure.kind(), failure.message());
      }
      case PREPARING -> abandon(failure);
      case SENT -> {
        if (core.outbox().withdraw(this)) {
          unheard = failure;
          neverSent();
        } else {
          giveUpSent(new CallFailure(failure.kind(), failure.message(), true), now);
        }
      }
      case LATE, DONE -> throw new IllegalStateException("Given up twice");
      default -> throw new IllegalStateException("No such phase: " + phase);
    }
  }

  /**
   * Nothing more of it is exposed. What the device has been given already has to be revoked, once it is
   * exposed; until then an application that owns some of it does not get it back.
   */
  private void abandon(CallFailure failure) {
    abandoned = true;
    chunks.stopPreparing();
    if (chunks.holdApplicationMemory()) {
      unheard = failure;
    } else {
      tell(failure);
    }
  }

  private void giveUpSent(CallFailure failure, long now) {
    phase = Phase.LATE;
    tellBehindFence(failure);
    long bytes = chunks.reachablePoolBytes();
    if (bytes > 0 && requester.setAside() + bytes <= core.settings().maxSetAside()) {
      bytesSetAside = bytes;
      requester.setAside(bytes);
      core.deadlines().add(this, now + core.settings().setAsideNanos());
    } else if (bytes > 0) {
      chunks.whenEnded(chunk -> true, () -> chunks.free(chunk -> true));
    }
  }

  /** The reply of a call that was given up: its memory is of no use to anybody now. */
  private void late() {
    phase = Phase.DONE;
    core.deadlines().remove(this);
    releaseSetAside();
    end(() -> {});
  }

  private void releaseSetAside() {
    requester.setAside(-bytesSetAside);
    bytesSetAside = 0;
  }
}
