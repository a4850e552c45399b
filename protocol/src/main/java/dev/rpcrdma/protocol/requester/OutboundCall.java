// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.requester;

import dev.rpcrdma.protocol.binding.ResultRoom;
import dev.rpcrdma.protocol.chunk.CallPlan;
import dev.rpcrdma.protocol.fabric.ConnectionCore;
import dev.rpcrdma.protocol.fabric.Counters;
import dev.rpcrdma.protocol.fabric.Transmission;
import dev.rpcrdma.protocol.message.ExposedChunk;
import dev.rpcrdma.protocol.message.MessageChunks;
import dev.rpcrdma.protocol.message.MessageFrame;
import dev.rpcrdma.protocol.message.Pull;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.oncrpc.CallHeader;
import dev.rpcrdma.protocol.oncrpc.Credential;
import dev.rpcrdma.protocol.oncrpc.OncRpc;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.requester.Outcome.Kind;
import dev.rpcrdma.protocol.security.BodyProtection;
import dev.rpcrdma.protocol.security.CallProtector;
import dev.rpcrdma.protocol.time.Deadlines;
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
 * A call on its way over a connection: phase, chunks and fence, XID, and what protects it. What it says, and who hears
 * of its outcome, is its {@link Call}. It belongs to no connection for good, so that it can be sent again over another
 * one; at any time it is on one connection at most.
 *
 * <pre>
 *   IDLE ──taken on──▶ QUEUED ──credit──▶ PREPARING ──all exposed──▶ SENT ──answer──▶ FENCING
 *    ▲                   │                   │                        │                 │
 *    └─── outcome ───────┴── given up, lost ─┴────────────────────────┴──── all revoked ┘
 * </pre>
 *
 * <p>One whose {@linkplain CallHead#protector head has a protector} is SECURING before it is QUEUED: what it needs may
 * take a call of its own, so that it has no credit meanwhile. One that is refused because its context is outdated goes
 * there once more, with the same XID.
 *
 * <p>Of a call that is given up when memory was exposed for it, or after it was sent, the connection keeps an
 * {@link AbandonedCall} in its place.
 *
 * <p><b>Outcomes.</b> One for each time that a connection takes it on: first the fence, then the outcome, then memory
 * is released.
 *
 * <p><b>Threads.</b> All of it on the connection's thread, but for its making.
 */
public final class OutboundCall implements Answerable, CallHandle, Transmission, MessageFrame {

  private static final String CANCELLED = "The call was cancelled";
  private static final String TIMEOUT = "No reply within the call's timeout";
  /** What is in a chunk of no bytes. */
  private static final DataItem NOTHING = DataItem.of(new byte[0]);

  private enum Phase { IDLE, SECURING, QUEUED, PREPARING, SENT, FENCING }

  private final Call call;
  /** Whether it may be sent again when its connection has ended; it keeps its XID then, until {@link #endXid}. */
  private final boolean lasting;
  private final Deadlines.Entry timer = new Deadlines.Entry() {
    @Override
    protected void expired(long now) {
      giveUp(new Outcome.Failed(Kind.TIMEOUT, TIMEOUT), now);
    }
  };
  /** That of the connection that has it, or had it last. */
  private Requester requester;
  private ConnectionCore core;
  private Phase phase = Phase.IDLE;
  private boolean takenOn;
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
  /** What the metadata of the reply says. */
  private long serverNanos = Outcome.UNKNOWN;

  private OutboundCall(Call call, boolean lasting) {
    this.call = call;
    this.lasting = lasting;
  }

  /**
   * Carries a call that ends with its connection.
   *
   * @param call what to call; hears one outcome
   */
  public OutboundCall(Call call) {
    this(call, false);
  }

  /**
   * Carries a call over one connection after the other.
   *
   * @param call hears an outcome each time that a connection has taken it on
   * @return what may be sent again
   */
  public static OutboundCall lasting(Call call) {
    return new OutboundCall(call, true);
  }

  Call call() {
    return call;
  }

  /**
   * Returns what is called.
   *
   * @return the head of each transmission, unless something protects it
   */
  public CallHead head() {
    return call.head();
  }

  @Override
  public Deadlines.Entry timer() {
    return timer;
  }

  /**
   * Carries another call from now on, if nothing has happened to this one but that it was sent inline, once, and is
   * answered: then nothing knows of it any more.
   *
   * @return false if anything of its past could matter to another call
   */
  public boolean renew() {
    boolean spotless = plan == CallPlan.INLINE && chunks == MessageChunks.NONE && protection == null && xids == null
        && !sentBefore && !protectedAnew && !refusedUnsigned && !cancelledLate;
    if (spotless) {
      takenOn = false;
      sentCredential = null;
    }
    return spotless;
  }

  // Its XID

  boolean hasXid() {
    return xids != null;
  }

  @Override
  public int xid() {
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
  public void endXid() {
    if (xids != null) {
      xids.free(xid);
      xids = null;
    }
  }

  /** The connection carries it no more, for that reason: if it is sent again, then as what was sent before. */
  private void endXidUnlessRepeated(Kind why) {
    boolean connectionEnds = why == Kind.CLOSED || why == Kind.CONNECTION_LOST;
    if (!connectionEnds || !lasting || !sentBefore && !posted) {
      endXid();
    }
  }

  // Taken on

  /** Whether any connection was asked to take it on. */
  boolean takenOn() {
    return takenOn;
  }

  void takeOn(Requester by, long until) {
    takenOn = true;
    protectedAnew &= by == requester;
    // What is stored in an old object costs a memory barrier, and most calls go where those before have gone.
    if (requester != by) {
      requester = by;
      core = by.core();
    }
    deadline = until;
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
      core.deadlines().remove(timer);
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
    return protection == null ? call.head().credential() : protection.credential();
  }

  /** What this transmission says. */
  PayloadStream content() {
    return protection == null ? call.arguments() : protection.arguments();
  }

  /** How its results are protected; empty if they are not. */
  Optional<BodyProtection> bodies() {
    return protection == null ? Optional.empty() : protection.bodies();
  }

  /** Arguments with what belongs to them, if they are protected as a whole. */
  ByteBuffer body() {
    byte[] tags = core.settings().metadata() ? call.head().metadata() : null;
    PayloadStream arguments = call.arguments();
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

  /** How long results can become, with all that makes them longer than {@link ResultBounds}. */
  long resultsBound(int bound) {
    if (protection == null) {
      return bound;
    }
    long verifier = protection.verifierLength() - OpaqueAuth.NONE.encodedLength();
    return verifier + bodies().map(body -> body.protectedLength(bound + inlineResults())).orElse((long) bound);
  }

  private long inlineResults() {
    long length = 0;
    for (ResultRoom room : call.rooms()) {
      length += Xdr.pad((long) room.maxLength());
    }
    return length;
  }

  /** Room for placed results, of which there are none if they are protected as a whole. */
  List<? extends ResultRoom> roomForResults() {
    return bodies().isPresent() ? List.of() : call.rooms();
  }

  /** The connection does not take it on, or has not sent it. */
  void refuse(Kind kind, String message) {
    endXidUnlessRepeated(kind);
    tell(new Outcome.Failed(kind, message));
  }

  // Sending

  @Override
  public int headLength() {
    return CallHeader.length(shown());
  }

  @Override
  public void writeHead(ByteBuffer target) {
    sentCredential = shown();
    CallHead head = call.head();
    CallHeader.write(target, xid, head.program(), head.version(), head.procedure(), sentCredential);
  }

  @Override
  public int metadataLength() {
    return core.settings().metadata() ? MetadataBlock.callLength(openMetadata()) : 0;
  }

  /** What is not among what is protected. */
  private byte[] openMetadata() {
    return bodies().isPresent() ? CallHead.NO_TAGS : call.head().metadata();
  }

  @Override
  public void writeMetadata(ByteBuffer target) {
    if (core.settings().metadata()) {
      MetadataBlock.writeCall(target, openMetadata(), deadline - core.now());
    }
  }

  @Override
  public MessageChunks chunks() {
    return chunks;
  }

  @Override
  public int room() {
    int inline = core.settings().inboundInline() - RawHeader.SHORT_LENGTH - OncRpc.SUCCESS_HEADER_LENGTH
        - core.settings().emptyMetadata();
    return plan.replyChunkLength() > 0 ? call.bounds().max() : inline;
  }

  @Override
  public String placedRoom() {
    return call.rooms().isEmpty() ? "" : call.rooms().stream().map(room -> Integer.toString(room.maxLength()))
        .collect(Collectors.joining(", ", ", and ", " for what is placed,"));
  }

  private MessageChunks takeChunks() {
    MessageChunks taken = chunks;
    if (taken != MessageChunks.NONE) {
      chunks = MessageChunks.NONE;
    }
    return taken;
  }

  void prepare(CallPlan callPlan) {
    if (plan != callPlan) {
      plan = callPlan;
    }
    call.reached(CallStage.CREDIT);
    if (plan == CallPlan.INLINE && core.open()) {
      submit();
      return;
    }
    phase = Phase.PREPARING;
    call.reached(CallStage.EXPOSING);
    chunks = new MessageChunks(core.memory(), core.exposures());
    chunks.prepare(plan, this, content(), roomForResults(), core.settings(), this::prepared);
  }

  private void submit() {
    phase = Phase.SENT;
    call.reached(CallStage.SENT);
    core.outbox().submit(this);
  }

  private void prepared(Optional<String> problem) {
    if (problem.isEmpty() && core.open()) {
      submit();
      return;
    }
    boolean ending = !core.open() || core.exposures().ending();
    neverSent(new Outcome.Failed(ending ? Kind.CONNECTION_LOST : Kind.RESOURCES,
        problem.orElse("The connection ended before the call was sent")));
  }

  @Override
  public int encode(ByteBuffer target) {
    posted = true;
    if (plan == CallPlan.INLINE && protection == null) {
      return encodeInline(target);
    }
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

  /** Most calls: nothing is exposed for them, and nothing protects them. */
  private int encodeInline(ByteBuffer target) {
    sentCredential = call.head().credential();
    requester.templates().write(target, xid, core.settings().creditsRequested(), call.head(), sentCredential);
    call.arguments().copyTo(target);
    writeMetadata(target);
    Counters counters = core.counters();
    counters.callsSent++;
    counters.sentInline++;
    counters.bytesSent += target.position() - RawHeader.SHORT_LENGTH;
    return target.position();
  }

  /** Its arguments have been released while it waited. */
  @Override
  public void encodingFailed(Throwable cause) {
    posted = false;
    neverSent(new Outcome.Failed(Kind.RESOURCES, "The arguments cannot be sent: " + cause));
  }

  /** The peer has heard nothing of this call: what was exposed for it is just taken back. */
  private void neverSent(Outcome.Failed failure) {
    core.deadlines().remove(timer);
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
  public boolean owed() {
    return phase == Phase.SECURING || phase == Phase.QUEUED || phase == Phase.PREPARING || phase == Phase.SENT;
  }

  @Override
  public boolean sent() {
    return posted && phase == Phase.SENT;
  }

  @Override
  public void answered(ChunkLists lists, boolean inline, ByteBuffer payload) {
    // Most calls expose nothing, and most replies have no lists.
    if (!inline || chunks != MessageChunks.NONE || !lists.isEmpty()) {
      Optional<String> problem = ReturnedChunks.problem(chunks.lists(), lists,
          inline ? ReplyForm.INLINE : ReplyForm.REPLY_CHUNK);
      if (problem.isPresent()) {
        fail(Outcome.Failed.badReply(problem.get()));
        return;
      }
    }
    phase = Phase.FENCING;
    call.reached(CallStage.REPLIED);
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
    serverNanos = core.metadata().serverNanos();
    overloaded = core.metadata().overloaded();
  }

  /** Its reply counts: its XID is of no use any more. */
  void endReplied() {
    endProtection();
    endXid();
  }

  /** Whether its XID may be needed once more though there is a reply: what was sent before stays what it is. */
  @Override
  public boolean keepsXid() {
    return protection != null || sentBefore;
  }

  /** Has its results opened, in memory of their own, and hands them over. */
  void open(BodyProtection by, ByteBuffer body) {
    Requester at = requester;
    at.fencingStarted();
    by.open(body, results -> at.opened(this, results));
  }

  /** The peer has executed it. */
  void replied(XdrReader results) {
    call.outcome(new Outcome.Reply(results, serverNanos));
  }

  /** Its results are what the server has protected, if there are any. */
  void opened(Optional<ByteBuffer> results) {
    if (results.isEmpty()) {
      tell(new Outcome.Failed(Kind.BAD_REPLY, "The results are not what the server has signed or encrypted", true));
      return;
    }
    XdrReader reader = XdrReader.owning(results.get(), ItemSource.NONE);
    replied(reader);
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
  public void pulled(ChunkLists lists, Pull pull) {
    Optional<String> problem = ReturnedChunks.problem(chunks.lists(), lists, ReplyForm.PULLED);
    if (problem.isPresent()) {
      pull.free();
      fail(Outcome.Failed.badReply(problem.get()));
      return;
    }
    phase = Phase.FENCING;
    call.reached(CallStage.REPLIED);
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
  public void fail(Outcome.Failed failure) {
    endReplied();
    end(failure);
  }

  private void end(Outcome.Failed failure) {
    phase = Phase.FENCING;
    requester.end(takeChunks(), () -> tell(failure));
  }

  /** A reply has come that cannot be used; nothing is exposed any more. */
  void unusable(String problem) {
    endReplied();
    call.outcome(new Outcome.Failed(Kind.BAD_REPLY, problem, true));
  }

  @Override
  public void connectionLost(String reason) {
    Outcome.Failed failure = new Outcome.Failed(Kind.CONNECTION_LOST, reason, posted);
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
  private void tell(Outcome.Failed failure) {
    phase = Phase.IDLE;
    endProtection();
    call.outcome(refusedUnsigned ? failure.maybeExecuted() : failure);
  }

  // Giving up

  /** The reply has no results. */
  void unsuccessful(ReplyHeader header) {
    // No verifier holds for why a call was not executed (RFC 2203 §5.3.3.2).
    refusedUnsigned |= protection != null;
    if (header instanceof ReplyHeader.AuthError refusal && !protectedAnew
        && (protection == null ? call.head().outdated(refusal.status(), sentCredential)
            : protection.outdated(refusal.status()))) {
      if (cancelledLate) {
        endReplied();
        tell(new Outcome.Failed(Kind.CANCELLED, CANCELLED, sentBefore));
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
      tell(new Outcome.Failed(Kind.OVERLOADED,
          "The peer has too many calls, and says that it has not executed this one"));
      return;
    }
    // A server that knows the deadline gives up at the same time, and its answer may be here before the deadline is.
    if (failed && core.settings().metadata() && core.now() >= deadline) {
      call.outcome(new Outcome.Failed(Kind.TIMEOUT, TIMEOUT, true));
    } else {
      call.outcome(new Outcome.Rejected(header, serverNanos));
    }
  }

  @Override
  public void cancel(Call made, long now) {
    if (made == call) {
      cancel(now);
    }
  }

  /**
   * Gives the call up: it hears CANCELLED, unless it has its outcome.
   *
   * @param now the time
   */
  public void cancel(long now) {
    if (owed() && !requester.isAbandoned()) {
      giveUp(new Outcome.Failed(Kind.CANCELLED, CANCELLED), now);
    } else {
      cancelledLate = true;
    }
  }

  void giveUp(Outcome.Failed failure, long now) {
    if (phase == Phase.SENT && core.outbox().withdraw(this)) {
      neverSent(failure);
      return;
    }
    core.deadlines().remove(timer);
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
        rest.whileSent(() -> tell(new Outcome.Failed(failure.kind(), failure.message(), true)), unexpected, now);
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
