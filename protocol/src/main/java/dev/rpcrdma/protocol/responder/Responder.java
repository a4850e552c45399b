// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.responder;

import dev.rpcrdma.protocol.control.ControlProcedures;
import dev.rpcrdma.protocol.fabric.ConnectionCore;
import dev.rpcrdma.protocol.fabric.LoopPort;
import dev.rpcrdma.protocol.fault.Fault;
import dev.rpcrdma.protocol.message.ExtensionTransmission;
import dev.rpcrdma.protocol.message.InlineCopies;
import dev.rpcrdma.protocol.message.Pull;
import dev.rpcrdma.protocol.message.Puller;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.oncrpc.OncRpc;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.security.Authenticator;
import dev.rpcrdma.protocol.security.BodyProtection;
import dev.rpcrdma.protocol.security.CallSecurity;
import dev.rpcrdma.protocol.security.ControlCall;
import dev.rpcrdma.protocol.security.Verdict;
import dev.rpcrdma.protocol.table.PlaceList;
import dev.rpcrdma.protocol.wire.ChunkLists;
import dev.rpcrdma.protocol.wire.RawHeader;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.protocol.xdr.XdrException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The side that serves.
 *
 * <p><b>Operation.</b> The head of a call is checked, and who calls is judged, before anything is pulled for it but the
 * head of a Long call itself, which is in its Position-Zero Read chunk. Then the rest is pulled, and the service is
 * asked; its results go into the chunks that the call offered, and then the reply is sent.
 *
 * <p><b>Errors.</b> What cannot be decoded is answered by RDMA_ERROR, what can be decoded but
 * not served by an RPC status. If neither can be sent the connection ends.
 *
 * <p><b>Limits.</b> No more calls are served at once than twice what was granted; a peer that sends
 * more loses the connection, and so does one that takes none of the answers it provokes.
 * A call whose Read chunks are more than this end holds for a peer is refused; the others are pulled by
 * {@link Puller}. The heads of Long calls have room of their own: as many as there may be calls.
 */
public final class Responder implements CallHome {

  private final ConnectionCore core;
  private final LoopPort port;
  private final ConnectionListener listener;
  private final Authenticator authenticator;
  private final CallHistory history;
  private final StrayReplies strayReplies;
  /** The peer's calls that are being served. */
  private final PlaceList<IncomingCall> active = new PlaceList<>();
  private final InlineCopies inlineCopies = new InlineCopies();
  private final Puller puller;
  /** Of Long calls. */
  private final Puller heads;
  private final CheapAnswers errors;
  private final Replies replies;
  private final ProvidedReplies provided;
  private final LoopPort.Task<IncomingCall, XdrEncoder> results = this::reply;
  private final LoopPort.Task<IncomingCall, AcceptStatus> failures = this::fail;
  private final LoopPort.Task<IncomingCall, Reply> rejections = this::reject;
  private final LoopPort.Task<IncomingCall, Void> successions = this::succeed;
  private final LoopPort.Task<IncomingCall, Verdict> verdicts = this::judged;
  private final LoopPort.Task<IncomingCall, Optional<ByteBuffer>> openings = this::opened;
  private Map<Integer, HeaderExtension> extensions = Map.of();
  /** By XID: GIVE_UPs that name a message of which nobody knows yet whether it is a call. */
  private final Map<Integer, GiveUp> undecided = new HashMap<>(0);
  /**
   * The last calls with chunks, answered or not: the device tells of an operation that the peer refused
   * only by the end of the connection, when the operation itself may have completed long before.
   */
  private final ArrayDeque<WithChunks> withChunks = new ArrayDeque<>(0);
  private record WithChunks(int xid, ChunkLists lists) {}

  /**
   * Creates it.
   *
   * @param strayReplies hears of replies that came as if they were calls
   */
  public Responder(ConnectionCore core, LoopPort port, ConnectionListener listener, CallHistory history,
      StrayReplies strayReplies) {
    this.core = core;
    this.port = port;
    this.strayReplies = strayReplies;
    this.listener = listener;
    this.authenticator = listener.authenticator();
    this.history = history;
    this.errors = new CheapAnswers(core);
    this.provided = new ProvidedReplies(core);
    this.replies = new Replies(core, port, listener, errors, active, provided);
    this.puller = new Puller(core, port);
    this.heads = new Puller(core, port, (long) mostCalls() * IncomingCall.HEAD_BYTES);
  }

  public boolean idle() {
    return active.isEmpty() && replies.idle();
  }

  public int active() {
    return active.size();
  }

  /** Replies that wait to be pulled, or are on their way there or back. */
  public int provided() {
    return provided.size();
  }

  public void serve(HeaderExtension extension) {
    if (extensions.isEmpty()) {
      extensions = new HashMap<>();
    }
    extensions.put(extension.procedure(), extension);
  }

  /**
   * A message of an OPTIONAL header type has come.
   *
   * @return false if this end does not serve the type
   */
  public boolean extension(int xid, int procedure, ByteBuffer body) {
    HeaderExtension extension = extensions.get(procedure);
    if (extension == null) {
      return false;
    }
    try {
      byte[] answer = extension.received(body);
      if (!ExtensionTransmission.fits(answer, core.settings())) {
        throw new IllegalArgumentException("The answer is longer than the peer's Receives");
      }
      errors.submit(new ExtensionTransmission(xid, core.settings().creditsGranted(), procedure,
          answer));
    } catch (IllegalArgumentException e) {
      errors.fault(xid, RawHeader.VERSION, Fault.BAD_HEADER);
    }
    return true;
  }

  /** A call has come: header and lists are sound, and the direction is certain. */
  public void call(int xid, ChunkLists lists, boolean inline, ByteBuffer payload, long now) {
    if (!mayCome()) {
      return;
    }
    if (!lists.isEmpty() && !takesChunks(xid, lists)) {
      return;
    }
    IncomingCall call = new IncomingCall(this, xid, lists, puller, now);
    active.add(call);
    if (inline) {
      core.counters().bytesReceived += payload.remaining();
      ByteBuffer copy = inlineCopies.copy(payload);
      call.inlineStream(copy);
      call.metadata(core.metadata());
      judge(call, now);
      if (call.answered() && !call.closeArguments()) {
        inlineCopies.giveBack(copy);
      }
    } else if (core.settings().largeReplies().pulls() && !puller.takes(call.pull())) {
      pullDirection(call, now);
    } else if (mayPull(call)) {
      heads.add(call.headOnly(heads), now);
      heads.beginWaiting(now);
    }
    puller.beginWaiting(now);
  }

  /**
   * Takes a Long message whose chunks are more than this end accepts, from a peer whose replies are pulled. It is
   * refused if it is a call. If it is a reply, to no call in flight, the peer keeps it until RDMA_DONE.
   */
  public void unreasonable(int xid, ChunkLists lists, long now) {
    if (mayCome() && takesChunks(xid, lists)) {
      IncomingCall call = new IncomingCall(this, xid, lists, puller, now);
      active.add(call);
      pullDirection(call, now);
    }
  }

  /** Pulls no more of a Long message than tells its direction: a reply is never answered by RDMA_ERROR. */
  private void pullDirection(IncomingCall call, long now) {
    heads.add(call.directionOnly(heads), now);
    heads.beginWaiting(now);
  }

  /** Tells whether the chunks of a message may be used; the message is answered if not. */
  private boolean takesChunks(int xid, ChunkLists lists) {
    if (history.hopeless(xid)) {
      errors.fault(xid, RawHeader.VERSION, Fault.UNREASONABLE_CHUNKS);
      return false;
    }
    if (withChunks.size() == mostCalls()) {
      withChunks.poll();
    }
    withChunks.add(new WithChunks(xid, lists));
    return true;
  }

  private int mostCalls() {
    return 2 * core.settings().creditsGranted();
  }

  /** Bounds what one peer can have in flight here. */
  private boolean mayCome() {
    if (active.size() >= mostCalls()) {
      core.fail("The peer has more than twice the calls in flight that it was granted ("
          + core.settings().creditsGranted() + ")");
      return false;
    }
    return !errors.congested();
  }

  /** A Long call has come, and was pulled before anybody knew that it is one. */
  public void pulledCall(int xid, ChunkLists lists, Pull pull, long now) {
    if (!mayCome() || !lists.positionsFit(pull.stream().remaining())) {
      pull.free();
      errors.fault(xid, RawHeader.VERSION, Fault.BAD_POSITION);
      decided(xid);
      return;
    }
    IncomingCall call = new IncomingCall(this, xid, lists, pull, now);
    active.add(call);
    GiveUp by = undecided.remove(xid);
    if (by != null) {
      call.giveUp(by);
    }
    call.streamPulled();
    if (streamSound(call)) {
      judge(call, now);
    }
    puller.beginWaiting(now);
  }

  /** Notes that a message with that XID has been pulled, and is no call or is refused. */
  public void decided(int xid) {
    GiveUp by = undecided.remove(xid);
    if (by != null) {
      by.ended();
    }
  }

  /** The requester needs the Read chunk of a reply no more. */
  public void done(int xid, OptionalInt invalidated) {
    provided.done(xid, invalidated);
  }

  @Override
  public void proceed(IncomingCall call) {
    port.run(successions, call, null);
  }

  private void succeed(IncomingCall call, Void nothing, long now) {
    if (call.answered() || fenced(call)) {
      return;
    }
    goOn(call, now);
    puller.beginWaiting(now);
  }

  /** Ends a call that is not served yet if its connection counts no more: its caller may have an answer elsewhere. */
  private boolean fenced(IncomingCall call) {
    if (core.open()) {
      return false;
    }
    replies.finish(call);
    return true;
  }

  /** Before the rest is pulled: a repetition must not overtake what is being pulled for its first. */
  private void arrived(IncomingCall call, long now) {
    if (history.arrived(call, now)) {
      goOn(call, now);
    }
  }

  /** Goes on with a call that is no repetition, or takes the place of the one that was its first. */
  private void goOn(IncomingCall call, long now) {
    if (!call.toBePulled()) {
      dispatch(call, now);
      return;
    }
    // What makes a context is a call of NULL, and has arguments.
    Optional<ReplyHeader> refusal =
        call.security() instanceof ControlCall ? Optional.empty() : listener.refusal(call);
    if (refusal.isPresent()) {
      reject(call, new Reply(refusal.get()), now);
    } else if (call.longCall() || mayPull(call)) {
      puller.add(call.pull(), now);
    }
  }

  // Judging

  private void judge(IncomingCall call, long now) {
    try {
      if (call.isReply()) {
        // C-02: only now its direction shows. A reply is never answered (RFC 8166 §4.5).
        if (!strayReplies.arrived(call.xid(), call.lists().anyHandle())) {
          core.counters().discarded++;
        }
        replies.drop(call);
        return;
      }
      if (call.unreasonable()) {
        replies.fault(call, Fault.UNREASONABLE_CHUNKS);
        return;
      }
      if (!call.xidMatches()) {
        replies.fault(call, Fault.XID_MISMATCH);
        return;
      }
      call.decodeHeader();
      if (core.settings().metadata() && call.lists().isEmpty() && ControlProcedures.ofConnection(call.header())) {
        control(call, now);
        return;
      }
    } catch (XdrException e) {
      // Not even the head of a call: no reply can be made of it (RFC 8166 §4.5.2).
      replies.fault(call, Fault.BAD_HEADER);
      return;
    }
    if (!call.lists().positionsBehind(call.header().encodedLength())) {
      replies.fault(call, Fault.BAD_POSITION);
      return;
    }
    if (call.header().rpcVersion() != OncRpc.RPC_VERSION) {
      reject(call, new Reply(new ReplyHeader.RpcMismatch(call.xid())), now);
      return;
    }
    if (call.givenUp()) {
      reject(call, Reply.systemError(call.xid()), now);
      return;
    }
    Verdict verdict = authenticator.judge(call.header(), call.inlineStream(), call);
    if (verdict == Verdict.PENDING) {
      core.deadlines().add(call, now + core.settings().serviceNanos());
    } else {
      judged(call, verdict, now);
    }
  }

  @Override
  public void judged(IncomingCall call, Verdict verdict) {
    port.run(verdicts, call, verdict);
  }

  private void judged(IncomingCall call, Verdict verdict, long now) {
    if (call.answered()) {
      // It has waited too long for this, or its connection is lost.
      return;
    }
    core.deadlines().remove(call);
    if (fenced(call)) {
      return;
    }
    if (verdict instanceof Verdict.Refused refused) {
      reject(call, new Reply(new ReplyHeader.AuthError(call.xid(), refused.status())), now);
      return;
    }
    if (verdict == Verdict.DROPPED) {
      core.counters().discarded++;
      replies.drop(call);
      return;
    }
    call.letIn((CallSecurity) verdict);
    arrived(call, now);
    puller.beginWaiting(now);
  }

  @Override
  public CallHistory history() {
    return history;
  }

  @Override
  public boolean open() {
    return core.open();
  }

  // Pulling

  /** Whether the Read chunks of a call can be pulled; it is answered if not. */
  private boolean mayPull(IncomingCall call) {
    if (core.settings().outboundReads() == 0) {
      // Of a Long message that cannot be pulled nobody knows what it is: it may be the reply to a call.
      if (call.longCall() && strayReplies.arrived(call.xid(), call.lists().anyHandle())) {
        replies.drop(call);
      } else {
        replies.fault(call, Fault.UNREASONABLE_CHUNKS);
      }
      return false;
    }
    if (!puller.takes(call.pull())) {
      replies.fault(call, Fault.UNREASONABLE_CHUNKS);
      return false;
    }
    return true;
  }

  @Override
  public void pulled(IncomingCall call, long now) {
    if (!fenced(call)) {
      pulledInTime(call, now);
    }
    puller.beginWaiting(now);
  }

  private void pulledInTime(IncomingCall call, long now) {
    if (call.pull().failed()) {
      if (!call.pull().lost()) {
        listener.argumentsRefused(call, "There is no memory for arguments of " + call.pull().bytes() + " bytes. "
            + call.pull().problem());
      }
      replies.fault(call, Fault.UNREASONABLE_CHUNKS);
    } else if (!call.longCall()) {
      dispatch(call, now);
    } else if (call.headDecoded()) {
      call.streamPulled();
      if (streamSound(call)) {
        call.decodeHeader();
        dispatch(call, now);
      }
    } else {
      call.headPulled(puller);
      if (call.toBePulled() || streamSound(call)) {
        judge(call, now);
      }
    }
  }

  /** Looks at the whole Payload stream of a Long call; it is answered if that is not sound. */
  private boolean streamSound(IncomingCall call) {
    if (!core.cutMetadata(call.inlineStream())) {
      replies.drop(call);
      return false;
    }
    call.metadata(core.metadata());
    if (!call.lists().positionsFit(call.inlineStream().remaining())) {
      replies.fault(call, Fault.BAD_POSITION);
      return false;
    }
    return true;
  }

  /** The other calls of this peer have held all that is held for it, all the time: this one was not looked at. */
  @Override
  public void starved(IncomingCall call, long now) {
    reject(call, Reply.systemError(call.xid()), now);
  }

  // Serving

  private void dispatch(IncomingCall call, long now) {
    call.beginService(now, core.settings().serviceNanos());
    if (call.deadline() <= now || call.givenUp()) {
      // Nobody waits for it any more, and it has not been executed.
      reject(call, Reply.systemError(call.xid()), now);
      return;
    }
    core.deadlines().add(call, call.deadline());
    Optional<BodyProtection> bodies = call.security().bodies();
    if (bodies.isEmpty()) {
      serve(call, now);
    } else if (call.reducedArguments() > 0) {
      // of what was signed or encrypted as a whole nothing can be apart.
      replies.garbled(call);
    } else {
      bodies.get().open(call.arguments().rest(), body -> port.run(openings, call, body));
    }
  }

  /** The arguments are what their caller has protected. */
  private void opened(IncomingCall call, Optional<ByteBuffer> body, long now) {
    if (call.answered() || fenced(call)) {
      // It has waited too long for this, or its connection is lost.
      return;
    }
    if (body.isPresent() && call.open(body.get(), core.settings().metadata())) {
      serve(call, now);
    } else {
      replies.garbled(call);
    }
    puller.beginWaiting(now);
  }

  private void serve(IncomingCall call, long now) {
    call.serving(true);
    boolean taken = false;
    try {
      if (call.security() instanceof ControlCall control) {
        control.serve(call);
      } else {
        listener.incoming(call, now);
      }
      taken = true;
    } finally {
      if (!taken) {
        // What is wrong with the listener ends the connection; the call's memory goes with it.
        call.serving(false);
      }
    }
  }

  @Override
  public void reply(IncomingCall call, XdrEncoder encoder) {
    port.run(results, call, encoder);
  }

  @Override
  public void fail(IncomingCall call, AcceptStatus status) {
    port.run(failures, call, status);
  }

  @Override
  public void reject(IncomingCall call, Reply reply) {
    port.run(rejections, call, reply);
  }

  private void reply(IncomingCall call, XdrEncoder encoder, long now) {
    replies.reply(call, encoder);
    puller.beginWaiting(now);
  }

  private void fail(IncomingCall call, AcceptStatus status, long now) {
    replies.answer(call, new Reply(new ReplyHeader.Accepted(call.xid(), status)));
    puller.beginWaiting(now);
  }

  private void reject(IncomingCall call, Reply reply, long now) {
    replies.reject(call, reply);
    puller.beginWaiting(now);
  }

  @Override
  public void answerAgain(IncomingCall call, Reply reply) {
    replies.answerAgain(call, reply);
  }

  @Override
  public void answerGone(IncomingCall call) {
    replies.answerGone(call);
  }

  @Override
  public void timedOut(IncomingCall call, long now) {
    if (call.letIn()) {
      if (!call.late(now)) {
        listener.serviceTimedOut(call);
      }
      stopServing(call);
    } else {
      // Nobody can say who calls.
      reject(call, Reply.systemError(call.xid()), now);
    }
  }

  /** Its caller waits no longer; its service goes on, unless it listens. */
  private void stopServing(IncomingCall call) {
    replies.late(call);
    call.abandoned();
  }

  // Calls that speak of the connection

  private void control(IncomingCall call, long now) {
    boolean leaving = call.header().procedure() == ControlProcedures.LEAVING;
    if (leaving && !core.settings().client()) {
      fail(call, AcceptStatus.PROC_UNAVAIL, now);
    } else if (leaving) {
      replies.reply(call, XdrEncoder.VOID);
      core.peerLeaves();
    } else {
      giveUp(call, now);
    }
  }

  /** Ends the calls that a GIVE_UP of the peer names, and answers it when nothing is done for them any more. */
  private void giveUp(IncomingCall call, long now) {
    Set<Integer> xids;
    try {
      xids = ControlProcedures.xids(call.arguments());
    } catch (XdrException e) {
      fail(call, AcceptStatus.GARBAGE_ARGS, now);
      return;
    }
    core.deadlines().add(call, now + core.settings().serviceNanos());
    GiveUp named = new GiveUp(() -> replies.reply(call, XdrEncoder.VOID));
    for (IncomingCall other : replies.underWay()) {
      if (xids.contains(other.xid())) {
        named.waitFor(other);
      }
    }
    List<IncomingCall> given = active.all().stream()
        .filter(other -> other != call && xids.contains(other.xid())).toList();
    // All before the first is ended: its service may answer others.
    given.forEach(named::waitFor);
    xids.stream().filter(strayReplies::isUndecided).forEach(xid -> {
      named.expect();
      undecided.put(xid, named);
    });
    given.forEach(other -> end(other, now));
    named.ended();
  }

  /** Answers a call that its caller has given up: at once, or when its head or what is being pulled for it is here. */
  private void end(IncomingCall call, long now) {
    if (call.answered()) {
      return;
    }
    if (call.isServing()) {
      stopServing(call);
    } else if (call.headDecoded() && !call.pulling()) {
      if (call.toBePulled()) {
        puller.withdraw(call.pull());
      }
      reject(call, Reply.systemError(call.xid()), now);
      call.endRepetition();
    }
  }

  /** Answers a message that cannot be processed, in the way its fault demands. */
  public void fault(int xid, int version, Fault fault) {
    errors.fault(xid, version, fault);
  }

  // The end

  /**
   * The connection is lost: all Reads have ended before.
   *
   * @param refused the tag of the peer's that its device has refused an operation on, if it says so
   */
  public void abandon(OptionalInt refused) {
    if (refused.isPresent()) {
      for (WithChunks call : withChunks) {
        if (call.lists.names(refused.getAsInt())) {
          history.operationsFailed(call.xid);
        }
      }
    }
    undecided.clear();
    heads.abandon();
    puller.abandon();
    provided.abandon();
    replies.fence();
    active.all().forEach(this::abandon);
  }

  /** Nothing of this connection counts any more, whatever may still come over it. */
  public void fence() {
    provided.fence();
    replies.fence();
    active.all().forEach(IncomingCall::connectionLost);
  }

  private void abandon(IncomingCall call) {
    call.connectionLost();
    if (call.pulling()) {
      // Memory, or a Read, is still to come: it finishes itself then. Nobody minds any more when.
      core.deadlines().remove(call.pull());
    } else {
      replies.finish(call);
    }
  }
}
