package dev.rpcrdma.protocol.connection;

import dev.rpcrdma.protocol.chunk.CallPlan;
import dev.rpcrdma.protocol.connection.CallFailure.Kind;
import dev.rpcrdma.protocol.oncrpc.CallHeader;
import dev.rpcrdma.protocol.time.Deadlines;
import dev.rpcrdma.protocol.wire.ChunkLists;
import dev.rpcrdma.protocol.xdr.XdrWriter;
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
 * until the reply or the loss of the connection. Memory of the application is revoked at once, since
 * the application gets it back; memory of the pool is set aside, for a while.
 */
final class PendingCall extends Deadlines.Entry {

  private enum Phase { QUEUED, PREPARING, SENT, LATE, DONE }

  private final Requester requester;
  private final ConnectionCore core;
  private final Call call;
  private final OptionalInt givenXid;
  private final OfferedChunks chunks;
  private Phase phase = Phase.QUEUED;
  private CallHeader header;
  /** The header in its bytes. */
  private byte[] head;
  private CallPlan plan;
  private CallTransmission transmission;
  /** The listener has heard there will be no reply, though memory may still be in preparation. */
  private boolean abandoned;
  private long bytesSetAside;

  PendingCall(Requester requester, ConnectionCore core, Call call, OptionalInt givenXid) {
    this.requester = requester;
    this.core = core;
    this.call = call;
    this.givenXid = givenXid;
    this.chunks = new OfferedChunks(core.memory(), core.exposures());
  }

  Call call() {
    return call;
  }

  /** The XID that the call has wherever it is sent; empty if it gets one here. */
  OptionalInt givenXid() {
    return givenXid;
  }

  CallPlan plan() {
    return plan;
  }

  OfferedChunks chunks() {
    return chunks;
  }

  int xid() {
    return header == null ? 0 : header.xid();
  }

  /** Whether a reply may be matched to it. */
  boolean sent() {
    return phase == Phase.SENT || phase == Phase.LATE;
  }

  /** Whether its listener is still to hear. */
  boolean owed() {
    return phase == Phase.SENT || !abandoned && (phase == Phase.QUEUED
        || phase == Phase.PREPARING);
  }

  byte[] head() {
    return head;
  }

  boolean reduced(int index) {
    return OfferedChunks.reduced(plan, call.arguments(), index);
  }

  // Sending

  void prepare(CallHeader callHeader, CallPlan callPlan) {
    header = callHeader;
    plan = callPlan;
    XdrWriter writer = new XdrWriter(header.encodedLength());
    header.encode(writer);
    head = writer.toByteArray();
    phase = Phase.PREPARING;
    chunks.prepare(plan, head, call, this::prepared);
  }

  private void prepared(Optional<String> problem) {
    if (!abandoned && problem.isEmpty() && core.open()) {
      phase = Phase.SENT;
      transmission = new CallTransmission(this, core);
      core.outbox().submit(transmission);
      return;
    }
    if (!abandoned) {
      abandoned = true;
      core.deadlines().remove(this);
      call.listener().failed(new CallFailure(
          core.open() && !core.exposures().ending() ? Kind.RESOURCES : Kind.CONNECTION_LOST,
          problem.orElse("The connection ended before the call was sent")));
    }
    neverSent();
  }

  /** The peer has heard nothing of this call: what was exposed for it is just taken back. */
  private void neverSent() {
    phase = Phase.DONE;
    requester.neverSent(this);
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
    // The Receive is posted again before a fence is up, so inline bytes are copied then.
    ByteBuffer kept = !inline || chunks.isEmpty() ? payload : copy(payload);
    end(() -> Results.deliver(this, lists, inline, kept, core.counters()));
  }

  private static ByteBuffer copy(ByteBuffer payload) {
    return ByteBuffer.allocate(payload.remaining()).put(payload.duplicate()).flip();
  }

  void remoteError(String message) {
    fail(new CallFailure(Kind.REMOTE_ERROR, message, true));
  }

  void badReply(String problem) {
    fail(new CallFailure(Kind.BAD_REPLY, "The peer's reply breaks RFC 8166: " + problem,
        true));
  }

  void connectionLost(String reason) {
    CallFailure failure = new CallFailure(Kind.CONNECTION_LOST, reason,
        transmission != null && transmission.posted());
    if (phase == Phase.PREPARING) {
      abandon(failure);
    } else {
      fail(failure);
    }
  }

  /** The call has ended, without a reply that its listener can use. */
  private void fail(CallFailure failure) {
    if (phase == Phase.LATE) {
      late();
    } else if (phase != Phase.DONE) {
      phase = Phase.DONE;
      end(() -> call.listener().failed(failure));
    }
  }

  /** Fails a call that was not taken on, or waits for a credit. */
  void refuse(Kind kind, String message) {
    phase = Phase.DONE;
    call.listener().failed(new CallFailure(kind, message));
  }

  /** Revokes everything, then tells the listener, then frees what was not handed over. */
  private void end(Runnable outcome) {
    requester.fencingStarted();
    chunks.whenEnded(chunk -> true, () -> {
      outcome.run();
      chunks.free(chunk -> true);
      requester.fencingEnded();
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

  void cancel(long now) {
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
        if (core.outbox().withdraw(transmission)) {
          call.listener().failed(failure);
          neverSent();
        } else {
          giveUpSent(new CallFailure(failure.kind(), failure.message(), true), now);
        }
      }
      case LATE, DONE -> throw new IllegalStateException("Given up twice");
      default -> throw new IllegalStateException("No such phase: " + phase);
    }
  }

  /** The peer has no tag of this call yet: the caller may have its memory back at once. */
  private void abandon(CallFailure failure) {
    abandoned = true;
    call.listener().failed(failure);
  }

  private void giveUpSent(CallFailure failure, long now) {
    phase = Phase.LATE;
    requester.fencingStarted();
    chunks.whenEnded(chunk -> chunk.region() != null && !chunk.region().pooled(), () -> {
      call.listener().failed(failure);
      requester.fencingEnded();
    });
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
