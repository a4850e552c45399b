// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.requester;

import dev.rpcrdma.protocol.binding.ResultRoom;
import dev.rpcrdma.protocol.chunk.CallPlan;
import dev.rpcrdma.protocol.control.ControlProcedures;
import dev.rpcrdma.protocol.fabric.ConnectionCore;
import dev.rpcrdma.protocol.fabric.Counters;
import dev.rpcrdma.protocol.fabric.Transmission;
import dev.rpcrdma.protocol.message.ExposedChunk;
import dev.rpcrdma.protocol.message.MessageChunks;
import dev.rpcrdma.protocol.message.MessageFrame;
import dev.rpcrdma.protocol.message.Pull;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.oncrpc.AuthStatus;
import dev.rpcrdma.protocol.oncrpc.CallHeader;
import dev.rpcrdma.protocol.oncrpc.Credential;
import dev.rpcrdma.protocol.oncrpc.OncRpc;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.requester.CallFailure.Kind;
import dev.rpcrdma.protocol.security.BodyProtection;
import dev.rpcrdma.protocol.security.CallProtector;
import dev.rpcrdma.protocol.wire.ChunkLists;
import dev.rpcrdma.protocol.wire.MetadataBlock;
import dev.rpcrdma.protocol.wire.RawHeader;
import dev.rpcrdma.protocol.xdr.DataItem;
import dev.rpcrdma.protocol.xdr.ItemSource;
import dev.rpcrdma.protocol.xdr.PayloadStream;
import dev.rpcrdma.protocol.xdr.Xdr;
import dev.rpcrdma.protocol.xdr.XdrReader;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A call of this end, from its caller to the wire. What it says belongs to no connection, so that it can be sent
 * again over another one; at any time it is on one connection at most.
 *
 * <pre>
 *   IDLE ──taken on──▶ QUEUED ──credit──▶ PREPARING ──all exposed──▶ SENT ──answer──▶ FENCING
 *    ▲                   │                   │                        │                 │
 *    └─── outcome ───────┴── given up, lost ─┴────────────────────────┴──── all revoked ┘
 * </pre>
 *
 * <p>One that has a {@link #protector} is SECURING before it is QUEUED: what it needs may take a call of its own, so that
 * it has no credit meanwhile. One that is refused because its context is outdated goes there once more, with the same
 * XID.
 *
 * <p>Of a call that is given up when memory was exposed for it, or after it was sent, the connection keeps an
 * {@link AbandonedCall} in its place.
 *
 * <p><b>Outcomes.</b> For each time that a connection takes it on, one of {@link #onReply}, {@link #onRejection}
 * and {@link #onFailure}. Whoever makes the call keeps its items alive, and all that it says as it is, until then.
 *
 * <p><b>Threads.</b> All of it on the connection's thread, but for its making.
 */
public abstract class OutboundCall extends Answerable implements Transmission, MessageFrame {

  private static final byte[] NO_TAGS = {};
  private static final String CANCELLED = "The call was cancelled";
  private static final String TIMEOUT = "No reply within the call's timeout";
  /** What is in a chunk of no bytes. */
  private static final DataItem NOTHING = DataItem.of(new byte[0]);

  private enum Phase { IDLE, SECURING, QUEUED, PREPARING, SENT, FENCING }

  /** That of the connection that has it, or had it last. */
  private Requester requester;
  private ConnectionCore core;
  private Phase phase = Phase.IDLE;
  /** Where its XID comes from; null if it has none. */
  private XidSlots xids;
  private int xid;
  private CallPlan plan;
  /** When its caller gives it up. */
  private long deadline;
  private MessageChunks chunks = MessageChunks.NONE;
  /** Whether a connection that is lost has sent it. */
  private boolean sentBefore;
  /** Whether the peer of this connection may have seen it. */
  private boolean posted;
  /** Protects this transmission; null if nothing does. */
  private ProtectedTransmission protection;
  /** Credential of the last transmission; calls that are sent now may have another one. */
  private Credential sentCredential;
  /** It has been refused once by this connection's peer since what protected it was outdated. */
  private boolean protectedAnew;
  /** Sent, and called not executed only by a reply that nobody has signed. */
  private boolean refusedUnsigned;
  /** Whether it was cancelled when it had a reply: if that is a refusal, it is not sent once more. */
  private boolean cancelledLate;
  /** Whether the metadata of the reply says that the call was not executed. */
  private boolean overloaded;

  // What its caller says

  /**
   * The program's number.
   *
   * @return an unsigned number
   */
  public abstract int program();

  /**
   * The program's version.
   *
   * @return an unsigned number
   */
  public abstract int version();

  /**
   * The procedure's number.
   *
   * @return an unsigned number
   */
  public abstract int procedure();

  /**
   * Tells whether the call goes ahead of those that wait for a credit, however many these are, since they depend on it.
   *
   * @return true for calls of the control program, which are few
   */
  protected boolean goesAhead() {
    return program() == ControlProcedures.PROGRAM;
  }

  /**
   * Who calls.
   *
   * @return writes credential and verifier, and judges those of replies
   */
  protected abstract Credential credential();

  /**
   * What protects each transmission of it, in place of {@link #credential()}.
   *
   * @return empty if nothing does
   */
  protected Optional<CallProtector> protector() {
    return Optional.empty();
  }

  /**
   * Whether a refusal says that the server does not know the credential of a call that nothing protects: it is sent once
   * more then, by a {@link #protector} that gets another one.
   *
   * @param status why the server has not executed the call
   * @return by default false
   */
  protected boolean outdated(AuthStatus status) {
    return false;
  }

  /**
   * The encoded arguments.
   *
   * @return with the items that may leave them
   */
  protected abstract PayloadStream arguments();

  /**
   * Room for DDP-eligible results.
   *
   * @return in the order of the results
   */
  protected abstract List<? extends ResultRoom> placedResults();

  /**
   * The largest results, without placed items but with their length words.
   *
   * @return a number of bytes, not negative
   */
  protected abstract int maxResults();

  /**
   * The results as they mostly are. Where replies can be pulled, room for the largest is offered only if it takes
   * a Reply chunk for these already; what is larger than what was offered is pulled.
   *
   * @return a number of bytes, not negative; 0 if nobody knows
   */
  protected int typicalResults() {
    return maxResults();
  }

  /**
   * Metadata that goes with the call where the peer takes it.
   *
   * @return encoded tags, see {@link MetadataBlock}; how long its caller still waits is added
   */
  protected byte[] metadata() {
    return NO_TAGS;
  }

  /**
   * Whether the call must not be sent to a peer that takes no metadata.
   *
   * @return false, unless it means something else without
   */
  protected boolean needsMetadata() {
    return false;
  }

  // What it hears

  /**
   * The peer has executed the call, and can reach none of its memory any more.
   *
   * @param results what follows the reply's head; valid only during this call, as are its data items
   *     unless they are retained
   */
  protected abstract void onReply(XdrReader results);

  /**
   * The reply says how long the server took; before {@link #onReply} or {@link #onRejection}.
   *
   * @param nanos in nanoseconds, since the call had arrived
   */
  protected void onServerTime(long nanos) {}

  /**
   * The peer replied that it did not execute the call, or could not, and can reach none of its memory
   * any more.
   *
   * @param header the reply's head, which says why
   */
  protected abstract void onRejection(ReplyHeader header);

  /**
   * There is no reply. What memory the peer may still reach is set aside.
   *
   * @param failure why
   */
  protected abstract void onFailure(CallFailure failure);

  /**
   * It has got further on its way.
   *
   * @param stage what it has behind it
   */
  protected void reached(CallStage stage) {}

  /**
   * Whether it may be sent again when its connection has ended; it keeps its XID then, until {@link #endXid}.
   *
   * @return false unless something sends calls again
   */
  protected boolean outlivesConnection() {
    return false;
  }

  // Its XID

  boolean hasXid() {
    return xids != null;
  }

  @Override
  int xid() {
    return xid;
  }

  /** It is about to be sent, and has an XID from now on. */
  void takeXid(XidSlots from) {
    if (xids == null) {
      xids = from;
      xid = from.take();
    }
  }

  /** Its XID is of no use any more: it gets another one if it is sent again. */
  @Override
  protected final void endXid() {
    if (xids != null) {
      xids.free(xid);
      xids = null;
    }
  }

  /** The connection carries it no more, for that reason: if it is sent again, then as what was sent before. */
  private void endXidUnlessRepeated(Kind why) {
    boolean connectionEnds = why == Kind.CLOSED || why == Kind.CONNECTION_LOST;
    if (!connectionEnds || !outlivesConnection() || !sentBefore && !posted) {
      endXid();
    }
  }

  // Taken on

  /** Whether any connection was asked to take it on. */
  boolean takenOn() {
    return requester != null;
  }

  void takeOn(Requester by, long until) {
    protectedAnew &= by == requester;
    requester = by;
    deadline = until;
    core = by.core();
    phase = Phase.QUEUED;
    sentBefore = hasXid();
    posted = false;
    unprotect();
  }

  // Protection

  /** Has this transmission protected, before it waits for a credit. */
  void secure(CallProtector by) {
    phase = Phase.SECURING;
    protection = new ProtectedTransmission(this, by);
    protection.begin();
  }

  /** It is about to fail: its protection comes too late, also if it is the end of another call's that brings it. */
  void stopSecuring() {
    phase = Phase.QUEUED;
  }

  /** Its protection is there. */
  void secured(ProtectedTransmission ready) {
    if (phase == Phase.SECURING && protection == ready) {
      phase = Phase.QUEUED;
      requester.secured(this);
    }
  }

  /** There is no protection. */
  void notSecured(ProtectedTransmission failed, String reason) {
    if (phase == Phase.SECURING && protection == failed) {
      core.deadlines().remove(this);
      endXid();
      requester.securingEnded(this);
      refuse(Kind.NOT_PROTECTED, reason);
    }
  }

  /** Nobody waits for the reply to this transmission. */
  private void endProtection() {
    if (protection != null) {
      protection.ended();
    }
  }

  private void unprotect() {
    endProtection();
    protection = null;
  }

  /** Who makes this transmission. */
  Credential shown() {
    return protection == null ? credential() : protection.credential();
  }

  /** What this transmission says. */
  PayloadStream content() {
    return protection == null ? arguments() : protection.arguments();
  }

  /** How its results are protected; empty if they are not. */
  Optional<BodyProtection> bodies() {
    return protection == null ? Optional.empty() : protection.bodies();
  }

  /** Arguments with what belongs to them, if they are protected as a whole. */
  ByteBuffer body() {
    byte[] tags = core.settings().metadata() ? metadata() : null;
    PayloadStream arguments = arguments();
    int block = tags == null ? 0 : MetadataBlock.tagsLength(tags);
    ByteBuffer body = ByteBuffer.allocate(Math.toIntExact(arguments.length()) + block);
    arguments.copyTo(body);
    if (tags != null) {
      MetadataBlock.writeTags(body, tags);
    }
    return body.flip();
  }

  ConnectionCore core() {
    return core;
  }

  Requester requester() {
    return requester;
  }

  /** How long results can become, with all that makes them longer than {@link #maxResults()}. */
  long resultsBound(int bound) {
    if (protection == null) {
      return bound;
    }
    long verifier = protection.verifierLength() - OpaqueAuth.NONE.encodedLength();
    return verifier + bodies().map(body -> body.protectedLength(bound + inlineResults())).orElse((long) bound);
  }

  private long inlineResults() {
    long length = 0;
    for (ResultRoom room : placedResults()) {
      length += Xdr.pad((long) room.maxLength());
    }
    return length;
  }

  /** Room for placed results, of which there are none if they are protected as a whole. */
  List<? extends ResultRoom> roomForResults() {
    return bodies().isPresent() ? List.of() : placedResults();
  }

  /** The connection does not take it on, or has not sent it. */
  void refuse(Kind kind, String message) {
    endXidUnlessRepeated(kind);
    tell(new CallFailure(kind, message));
  }

  // Sending

  @Override
  public int headLength() {
    return CallHeader.length(shown());
  }

  @Override
  public void writeHead(ByteBuffer target) {
    sentCredential = shown();
    CallHeader.write(target, xid, program(), version(), procedure(), sentCredential);
  }

  /** The credential of the last transmission. */
  protected final Credential sentCredential() {
    return sentCredential;
  }

  @Override
  public int metadataLength() {
    return core.settings().metadata() ? MetadataBlock.callLength(openMetadata()) : 0;
  }

  /** What is not among what is protected. */
  private byte[] openMetadata() {
    return bodies().isPresent() ? NO_TAGS : metadata();
  }

  @Override
  public void writeMetadata(ByteBuffer target) {
    if (core.settings().metadata()) {
      MetadataBlock.writeCall(target, openMetadata(), deadline - core.now());
    }
  }

  @Override
  MessageChunks chunks() {
    return chunks;
  }

  @Override
  int room() {
    int inline = core.settings().inboundInline() - RawHeader.SHORT_LENGTH - OncRpc.SUCCESS_HEADER_LENGTH
        - core.settings().emptyMetadata();
    return plan.replyChunkLength() > 0 ? maxResults() : inline;
  }

  @Override
  String placedRoom() {
    return placedResults().isEmpty() ? "" : placedResults().stream().map(room -> Integer.toString(room.maxLength()))
        .collect(Collectors.joining(", ", ", and ", " for what is placed,"));
  }

  private MessageChunks takeChunks() {
    MessageChunks taken = chunks;
    chunks = MessageChunks.NONE;
    return taken;
  }

  void prepare(CallPlan callPlan) {
    plan = callPlan;
    reached(CallStage.CREDIT);
    if (plan == CallPlan.INLINE && core.open()) {
      submit();
      return;
    }
    phase = Phase.PREPARING;
    reached(CallStage.EXPOSING);
    chunks = new MessageChunks(core.memory(), core.exposures());
    chunks.prepare(plan, this, content(), roomForResults(), core.settings(), this::prepared);
  }

  private void submit() {
    phase = Phase.SENT;
    reached(CallStage.SENT);
    core.outbox().submit(this);
  }

  private void prepared(Optional<String> problem) {
    if (problem.isEmpty() && core.open()) {
      submit();
      return;
    }
    boolean ending = !core.open() || core.exposures().ending();
    neverSent(new CallFailure(ending ? Kind.CONNECTION_LOST : Kind.RESOURCES,
        problem.orElse("The connection ended before the call was sent")));
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
      PayloadStream arguments = content();
      if (plan.reduceArguments()) {
        arguments.copyTo(target, index -> MessageChunks.reduced(plan, arguments, index));
      } else {
        arguments.copyTo(target);
      }
      writeMetadata(target);
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
  public void encodingFailed(Throwable cause) {
    posted = false;
    neverSent(new CallFailure(Kind.RESOURCES, "The arguments cannot be sent: " + cause));
  }

  /** The peer has heard nothing of this call: what was exposed for it is just taken back. */
  private void neverSent(CallFailure failure) {
    core.deadlines().remove(this);
    phase = Phase.FENCING;
    // Whoever hears may have it sent over another connection, so what is done here is done with what was here.
    Requester by = requester;
    MessageChunks exposed = takeChunks();
    endXidUnlessRepeated(failure.kind());
    by.neverSent(this);
    by.giveBack(exposed, () -> tell(failure));
  }

  // Outcomes

  @Override
  boolean owed() {
    return phase == Phase.SECURING || phase == Phase.QUEUED || phase == Phase.PREPARING || phase == Phase.SENT;
  }

  @Override
  boolean sent() {
    return posted && phase == Phase.SENT;
  }

  @Override
  void answered(ChunkLists lists, boolean inline, ByteBuffer payload) {
    Optional<String> problem = ReturnedChunks.problem(chunks.lists(), lists,
        inline ? ReplyForm.INLINE : ReplyForm.REPLY_CHUNK);
    if (problem.isPresent()) {
      fail(CallFailure.badReply(problem.get()));
      return;
    }
    phase = Phase.FENCING;
    reached(CallStage.REPLIED);
    if (inline) {
      metadataArrived();
    }
    Requester by = requester;
    MessageChunks exposed = takeChunks();
    // The Receive may be posted again before a fence is up, so inline bytes are copied.
    ByteBuffer kept = inline ? by.inlineCopies().copy(payload) : payload;
    if (!exposed.isEmpty()) {
      by.end(exposed, () -> deliver(exposed, lists, inline, kept));
      return;
    }
    // Nothing to fence.
    by.fencingStarted();
    try {
      deliver(exposed, lists, inline, kept);
    } finally {
      by.fencingEnded();
    }
  }

  /** What the connection has looked at last is the metadata of the reply. */
  void metadataArrived() {
    if (core.metadata().serverNanos() >= 0) {
      onServerTime(core.metadata().serverNanos());
    }
    overloaded = core.metadata().overloaded();
  }

  /** Its reply counts: its XID is of no use any more. */
  void endReplied() {
    endProtection();
    endXid();
  }

  /** Whether its XID may be needed once more though there is a reply: what was sent before stays what it is. */
  @Override
  boolean keepsXid() {
    return protection != null || sentBefore;
  }

  /** Has its results opened, in memory of their own, and hands them over. */
  void open(BodyProtection by, ByteBuffer body) {
    Requester at = requester;
    at.fencingStarted();
    by.open(body, results -> at.opened(this, results));
  }

  /** Its results are what the server has protected, if there are any. */
  void opened(Optional<ByteBuffer> results) {
    if (results.isEmpty()) {
      tell(new CallFailure(Kind.BAD_REPLY, "The results are not what the server has signed or encrypted", true));
      return;
    }
    XdrReader reader = XdrReader.owning(results.get(), ItemSource.NONE);
    onReply(reader);
    reader.close();
  }

  private void deliver(MessageChunks exposed, ChunkLists lists, boolean inline, ByteBuffer payload) {
    phase = Phase.IDLE;
    Requester by = requester;
    if (!inline) {
      core.counters().replyChunks++;
      int length = (int) lists.replyChunk().orElseThrow().length();
      Results.deliver(this, exposed, lists, ReplyForm.REPLY_CHUNK,
          exposed.replyChunk().region().bytes().slice(0, length), core);
    } else if (!Results.deliver(this, exposed, lists, ReplyForm.INLINE, payload, core)) {
      by.inlineCopies().giveBack(payload);
    }
  }

  @Override
  void pulled(ChunkLists lists, Pull pull) {
    Optional<String> problem = ReturnedChunks.problem(chunks.lists(), lists, ReplyForm.PULLED);
    if (problem.isPresent()) {
      pull.free();
      fail(CallFailure.badReply(problem.get()));
      return;
    }
    phase = Phase.FENCING;
    reached(CallStage.REPLIED);
    MessageChunks exposed = takeChunks();
    requester.end(exposed, () -> {
      phase = Phase.IDLE;
      core.counters().pulledReplies++;
      try {
        Results.deliverPulled(this, exposed, lists, pull.streamItem().orElse(NOTHING), core);
      } finally {
        pull.free();
      }
    });
  }

  @Override
  void fail(CallFailure failure) {
    endReplied();
    end(failure);
  }

  private void end(CallFailure failure) {
    phase = Phase.FENCING;
    requester.end(takeChunks(), () -> tell(failure));
  }

  /** A reply has come that cannot be used; nothing is exposed any more. */
  void unusable(String problem) {
    endReplied();
    onFailure(new CallFailure(Kind.BAD_REPLY, problem, true));
  }

  @Override
  void connectionLost(String reason) {
    CallFailure failure = new CallFailure(Kind.CONNECTION_LOST, reason, posted);
    endXidUnlessRepeated(Kind.CONNECTION_LOST);
    if (phase != Phase.PREPARING) {
      end(failure);
      return;
    }
    MessageChunks unprepared = takeChunks();
    unprepared.abandon();
    unprepared.free(ExposedChunk::ofApplication);
    tell(failure);
  }

  /** The outcome, if it is not a reply; it is on no connection any more. */
  private void tell(CallFailure failure) {
    phase = Phase.IDLE;
    endProtection();
    onFailure(refusedUnsigned ? new CallFailure(failure.kind(), failure.message(), true) : failure);
  }

  // Giving up

  @Override
  protected void expired(long now) {
    giveUp(new CallFailure(Kind.TIMEOUT, TIMEOUT), now);
  }

  /** The reply has no results. */
  void unsuccessful(ReplyHeader header) {
    // No verifier holds for why a call was not executed (RFC 2203 §5.3.3.2).
    refusedUnsigned |= protection != null;
    if (header instanceof ReplyHeader.AuthError refusal && !protectedAnew
        && (protection == null ? outdated(refusal.status()) : protection.outdated(refusal.status()))) {
      if (cancelledLate) {
        endReplied();
        tell(new CallFailure(Kind.CANCELLED, CANCELLED, sentBefore));
        return;
      }
      // RFC 2203 §5.3.3.3: it was not executed, and is sent again with another context, or another credential.
      protectedAnew = true;
      requester.again(this, deadline);
      return;
    }
    endReplied();
    boolean failed = header instanceof ReplyHeader.Accepted accepted && accepted.status() == AcceptStatus.SYSTEM_ERR;
    // One that was sent before may have been executed then.
    if (failed && overloaded && !sentBefore) {
      tell(new CallFailure(Kind.OVERLOADED, "The peer has too many calls, and says that it has not executed this one"));
      return;
    }
    // A server that knows the deadline gives up at the same time, and its answer may be here before the deadline is.
    if (failed && core.settings().metadata() && core.now() >= deadline) {
      onFailure(new CallFailure(Kind.TIMEOUT, TIMEOUT, true));
    } else {
      onRejection(header);
    }
  }

  /**
   * Gives the call up: it hears CANCELLED, unless it has its outcome.
   *
   * @param now the time
   */
  public void cancel(long now) {
    if (owed() && !requester.isAbandoned()) {
      giveUp(new CallFailure(Kind.CANCELLED, CANCELLED), now);
    } else {
      cancelledLate = true;
    }
  }

  void giveUp(CallFailure failure, long now) {
    if (phase == Phase.SENT && core.outbox().withdraw(this)) {
      neverSent(failure);
      return;
    }
    core.deadlines().remove(this);
    switch (phase) {
      case SECURING -> {
        Optional<String> lacking = protection.withdraw();
        endXidUnlessRepeated(failure.kind());
        requester.securingEnded(this);
        if (failure.kind() == Kind.TIMEOUT && lacking.isPresent()) {
          refuse(Kind.NOT_PROTECTED, lacking.get());
        } else {
          refuse(failure.kind(), failure.message());
        }
      }
      case QUEUED -> {
        endXidUnlessRepeated(failure.kind());
        requester.neverSent(this);
        refuse(failure.kind(), failure.message());
      }
      case PREPARING -> {
        AbandonedCall rest = leave();
        rest.whilePreparing(() -> tell(failure));
      }
      case SENT -> {
        AbandonedCall rest = leave();
        // The end of its time the peer knows by itself.
        boolean unexpected = failure.kind() == Kind.CANCELLED;
        rest.whileSent(() -> tell(new CallFailure(failure.kind(), failure.message(), true)), unexpected, now);
      }
      default -> throw new IllegalStateException("Given up in phase " + phase);
    }
  }

  /** Leaves to the connection what that needs to know of it. */
  private AbandonedCall leave() {
    AbandonedCall rest = new AbandonedCall(requester, xids, xid, takeChunks(),
        protection == null ? null : protection.end());
    protection = null;
    requester.abandoned(this, rest);
    xids = null;
    phase = Phase.FENCING;
    return rest;
  }
}
