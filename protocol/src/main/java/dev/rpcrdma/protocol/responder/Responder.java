package dev.rpcrdma.protocol.responder;

import dev.rpcrdma.protocol.fabric.ConnectionCore;
import dev.rpcrdma.protocol.fabric.ConnectionSettings;
import dev.rpcrdma.protocol.fabric.LoopPort;
import dev.rpcrdma.protocol.fabric.Transmission;
import dev.rpcrdma.protocol.fault.Fault;
import dev.rpcrdma.protocol.message.ErrorTransmission;
import dev.rpcrdma.protocol.message.ExtensionTransmission;
import dev.rpcrdma.protocol.message.InlineCopies;
import dev.rpcrdma.protocol.message.Puller;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.oncrpc.OncRpc;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.security.Authenticator;
import dev.rpcrdma.protocol.security.CallSecurity;
import dev.rpcrdma.protocol.security.Verdict;
import dev.rpcrdma.protocol.table.PlaceList;
import dev.rpcrdma.protocol.wire.ChunkLists;
import dev.rpcrdma.protocol.wire.RawHeader;
import dev.rpcrdma.protocol.xdr.PayloadStream;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.IntPredicate;
import java.util.function.Supplier;

/**
 * The side that serves.
 *
 * <p><b>Operation.</b> The head of a call is checked, and who calls is judged, before anything is pulled for it; a
 * Long call is pulled first, since its head is in its Position-Zero Read chunk. Then the service is asked; its
 * results go into the chunks that the call offered, and then the reply is sent.
 *
 * <p><b>Errors.</b> What cannot be decoded is answered by RDMA_ERROR, what can be decoded but
 * not served by an RPC status. If neither can be sent the connection ends.
 *
 * <p><b>Limits.</b> No more calls are served at once than twice what was granted; a peer that sends
 * more loses the connection, and so does one that takes none of the answers it provokes.
 * A call whose Read chunks are more than this end holds for a peer is refused; the others are pulled by
 * {@link Puller}.
 */
public final class Responder implements CallHome {

  private final ConnectionCore core;
  private final LoopPort port;
  private final ConnectionListener listener;
  private final Authenticator authenticator;
  private final CallHistory history;
  private final IntPredicate ownCalls;
  /** The peer's calls that are being served. */
  private final PlaceList<IncomingCall> active = new PlaceList<>();
  private final InlineCopies inlineCopies = new InlineCopies();
  private final InlineReply inlineReply;
  private final Puller<IncomingCall> puller;
  private final LoopPort.Step<IncomingCall, XdrEncoder> replies = this::reply;
  private final LoopPort.Step<IncomingCall, AcceptStatus> failures = this::fail;
  private final LoopPort.Step<IncomingCall, ReplyHeader> rejections = this::reject;
  private final LoopPort.Step<IncomingCall, Void> successions = this::succeed;
  private final LoopPort.Step<IncomingCall, Verdict> verdicts = this::judged;
  /** For replies that are laid out where they are encoded, one at a time. */
  private XdrWriter writer = new XdrWriter();
  private boolean writing;
  private Map<Integer, HeaderExtension> extensions = Map.of();
  /** Replies on their way, whose memory is still in use. */
  private int replying;
  /**
   * The last calls with chunks, answered or not: the device tells of an operation that the peer refused
   * only by the end of the connection, when the operation itself may have completed long before.
   */
  private final ArrayDeque<WithChunks> withChunks = new ArrayDeque<>();
  private record WithChunks(int xid, ChunkLists lists) {}

  /**
   * Creates it.
   *
   * @param ownCalls fails a call of this end whose reply came in Read chunks, which nobody has agreed to;
   *     tells whether there is such a call
   */
  public Responder(ConnectionCore core, LoopPort port, ConnectionListener listener, CallHistory history,
      IntPredicate ownCalls) {
    this.core = core;
    this.port = port;
    this.ownCalls = ownCalls;
    this.listener = listener;
    this.authenticator = listener.authenticator();
    this.history = history;
    this.inlineReply = new InlineReply(core);
    this.puller = new Puller<>(core, port, this::pulled, this::starved);
  }

  public boolean idle() {
    return active.isEmpty() && replying == 0;
  }

  public int active() {
    return active.size();
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
      submitCheap(new ExtensionTransmission(xid, core.settings().creditsGranted(), procedure,
          answer));
    } catch (IllegalArgumentException e) {
      fault(xid, RawHeader.VERSION, Fault.BAD_HEADER);
    }
    return true;
  }

  /** A call has come: header and lists are sound, and the direction is certain. */
  public void call(int xid, ChunkLists lists, boolean inline, ByteBuffer payload, long now) {
    if (active.size() >= 2 * core.settings().creditsGranted()) {
      core.fail("The peer has more than twice the calls in flight that it was granted ("
          + core.settings().creditsGranted() + ")");
      return;
    }
    if (congested()) {
      return;
    }
    if (!lists.isEmpty()) {
      if (history.hopeless(xid)) {
        fault(xid, RawHeader.VERSION, Fault.UNREASONABLE_CHUNKS);
        return;
      }
      if (withChunks.size() == 2 * core.settings().creditsGranted()) {
        withChunks.poll();
      }
      withChunks.add(new WithChunks(xid, lists));
    }
    IncomingCall call = new IncomingCall(this, xid, lists, puller);
    active.add(call);
    if (inline) {
      core.counters().bytesReceived += payload.remaining();
      ByteBuffer copy = inlineCopies.copy(payload);
      call.inlineStream(copy);
      judge(call, now);
      if (call.answered() && !call.closeArguments()) {
        inlineCopies.giveBack(copy);
      }
    } else {
      arrived(call, now);
    }
    puller.beginWaiting(now);
  }

  @Override
  public void proceed(IncomingCall call) {
    port.run(successions, call, null);
  }

  private void succeed(IncomingCall call, Void nothing, long now) {
    goOn(call, now);
    puller.beginWaiting(now);
  }

  /** Before anything is pulled: a repetition must not overtake what is being pulled for its first. */
  private void arrived(IncomingCall call, long now) {
    if (history.arrived(call, now)) {
      goOn(call, now);
    }
  }

  /** Goes on with a call that is no repetition, or takes the place of the one that was its first. */
  private void goOn(IncomingCall call, long now) {
    if (call.toBePulled()) {
      pull(call, now);
    } else {
      dispatch(call, now);
    }
  }

  // Judging

  private void judge(IncomingCall call, long now) {
    try {
      if (!call.xidMatches()) {
        fault(call, Fault.XID_MISMATCH);
        return;
      }
      if (call.isReply()) {
        // C-02: only now its direction shows. A reply is never answered (RFC 8166 §4.5).
        if (!ownCalls.test(call.xid())) {
          core.counters().discarded++;
        }
        drop(call);
        return;
      }
      call.decodeHeader();
    } catch (XdrException e) {
      // Not even the head of a call: no reply can be made of it (RFC 8166 §4.5.2).
      fault(call, Fault.BAD_HEADER);
      return;
    }
    if (!call.lists().positionsBehind(call.header().encodedLength())) {
      fault(call, Fault.BAD_POSITION);
      return;
    }
    if (call.header().rpcVersion() != OncRpc.RPC_VERSION) {
      reject(call, new ReplyHeader.RpcMismatch(call.xid(), OncRpc.RPC_VERSION, OncRpc.RPC_VERSION), now);
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
    if (!core.open()) {
      // Fenced: its caller has another connection, and may have its answer over that.
      finish(call);
      return;
    }
    if (verdict instanceof Verdict.Refused refused) {
      reject(call, new ReplyHeader.AuthError(call.xid(), refused.status()), now);
      return;
    }
    call.letIn((CallSecurity) verdict);
    if (call.longCall()) {
      dispatch(call, now);
    } else {
      arrived(call, now);
    }
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

  private void pull(IncomingCall call, long now) {
    if (core.settings().outboundReads() == 0) {
      // Of a Long message that cannot be pulled nobody knows what it is: it may be the reply to a call.
      if (call.longCall() && ownCalls.test(call.xid())) {
        drop(call);
      } else {
        fault(call, Fault.UNREASONABLE_CHUNKS);
      }
      return;
    }
    if (!puller.takes(call.pull())) {
      fault(call, Fault.UNREASONABLE_CHUNKS);
      return;
    }
    puller.add(call.pull(), now);
  }

  private void pulled(IncomingCall call, long now) {
    if (!core.open()) {
      finish(call);
    } else if (call.pull().failed()) {
      fault(call, Fault.UNREASONABLE_CHUNKS);
    } else if (call.longCall()) {
      call.pulled();
      judge(call, now);
    } else {
      dispatch(call, now);
    }
    puller.beginWaiting(now);
  }

  /** The other calls of this peer have held all that is held for it, all the time: this one was not looked at. */
  private void starved(IncomingCall call, long now) {
    reject(call, Reply.systemError(call.xid()).header(), now);
  }

  // Serving

  private void dispatch(IncomingCall call, long now) {
    long deadline = now + core.settings().serviceNanos();
    call.deadline(deadline);
    core.deadlines().add(call, deadline);
    call.serving(true);
    boolean taken = false;
    try {
      listener.incoming(call, now);
      taken = true;
    } finally {
      if (!taken) {
        // What is wrong with the listener ends the connection; the call's memory goes with it.
        call.serving(false);
      }
    }
  }

  @Override
  public void reply(IncomingCall call, XdrEncoder results) {
    port.run(replies, call, results);
  }

  @Override
  public void fail(IncomingCall call, AcceptStatus status) {
    port.run(failures, call, status);
  }

  @Override
  public void reject(IncomingCall call, ReplyHeader header) {
    port.run(rejections, call, header);
  }

  /** An encoder that throws whatever it may makes it SYSTEM_ERR. */
  private void reply(IncomingCall call, XdrEncoder results, long now) {
    replyWith(call, results);
    puller.beginWaiting(now);
  }

  private void replyWith(IncomingCall call, XdrEncoder results) {
    call.serving(false);
    if (call.answered()) {
      tooLate(call, results);
      return;
    }
    if (writing) {
      // An encoder has brought on another reply while it runs.
      reply(call, results, new XdrWriter());
      return;
    }
    writing = true;
    if (reply(call, results, writer)) {
      writer.clear();
    } else {
      writer = new XdrWriter();
    }
    writing = false;
  }

  /** Tells whether the writer's memory is free again. */
  private boolean reply(IncomingCall call, XdrEncoder results, XdrWriter target) {
    try {
      results.encode(target);
      checkEligible(call, target.items());
    } catch (Throwable e) {
      // Also an Error, as of a class that is not there: the caller need not wait for the service's time.
      listener.encodingFailed(call, e);
      target.toPayloadStream().releaseItemsLeft();
      answer(call, Reply.systemError(call.xid()));
      return false;
    }
    boolean inline = call.lists().isEmpty() && inlineReply.takes(call.security(), target);
    if (inline && call.recorded()) {
      remember(call, () -> Reply.success(call.xid(), target.copyToPayloadStream()));
      // Who has repeated the call has been answered by that, and the outbox may be busy now.
      inline = inlineReply.takes(call.security(), target);
    }
    if (!inline) {
      send(call, Reply.success(call.xid(), target.toPayloadStream()));
      return false;
    }
    sendInline(call, target);
    return true;
  }

  /** items that the binding does not name must not be reduced (RFC 8166 §3.4.2). */
  private static void checkEligible(IncomingCall call, int items) {
    if (items > call.eligibleResults()) {
      throw new IllegalArgumentException("The results hold " + items + " data items; the binding has "
          + call.eligibleResults() + " that are DDP-eligible. Write the others as opaque");
    }
  }

  /** Nobody waits on this connection, but a record may; and what is handed over is released. */
  private void tooLate(IncomingCall call, XdrEncoder results) {
    XdrWriter writer = new XdrWriter();
    try {
      results.encode(writer);
      checkEligible(call, writer.items());
    } catch (Throwable e) {
      listener.encodingFailed(call, e);
      remember(call, () -> Reply.systemError(call.xid()));
    }
    Reply reply = finish(call, Reply.success(call.xid(), writer.toPayloadStream()));
    remember(call, () -> reply);
    reply.results().releaseItemsLeft();
  }

  private static void remember(IncomingCall call, Supplier<Reply> reply) {
    CallRecord record = call.takeRecord();
    if (record != null) {
      record.replied(reply);
    }
  }

  private void fail(IncomingCall call, AcceptStatus status, long now) {
    answer(call, new Reply(new ReplyHeader.Accepted(call.xid(), status)));
    puller.beginWaiting(now);
  }

  private void reject(IncomingCall call, ReplyHeader header, long now) {
    CallRecord record = call.takeRecord();
    Reply reply = new Reply(header);
    answer(call, reply);
    if (record != null) {
      record.refused(reply);
    }
    puller.beginWaiting(now);
  }

  /** Answers with a head alone. */
  private void answer(IncomingCall call, Reply reply) {
    call.serving(false);
    if (call.answered()) {
      remember(call, () -> reply);
      call.releaseArguments();
    } else {
      send(call, reply);
    }
  }

  /**
   * Answers a call with a reply that was made before, for the same call when it came first.
   *
   * @param reply keeps its items; the transmission takes owners of its own
   */
  @Override
  public void answerAgain(IncomingCall call, Reply reply) {
    call.serving(false);
    if (call.answered()) {
      call.releaseArguments();
    } else {
      reply.results().retainItems();
      send(call, reply);
    }
  }

  /** Answers a call that was executed before, and whose reply nobody has any more. */
  @Override
  public void answerGone(IncomingCall call) {
    call.serving(false);
    if (call.answered()) {
      call.releaseArguments();
    } else {
      fault(call, Fault.REPLY_TOO_LARGE);
    }
  }

  @Override
  public void timedOut(IncomingCall call, long now) {
    if (!call.letIn()) {
      // Nobody can say who calls.
      reject(call, Reply.systemError(call.xid()).header(), now);
      return;
    }
    // The service goes on, and may read the arguments until it ends; its caller waits no longer.
    send(call, Reply.systemError(call.xid()));
  }

  private void sendInline(IncomingCall call, XdrWriter reply) {
    finish(call);
    core.counters().callsServed++;
    inlineReply.submit(call.xid(), call.security(), reply);
  }

  private void send(IncomingCall call, Reply made) {
    replying++;
    Reply reply = finish(call, made);
    remember(call, () -> reply);
    core.counters().callsServed++;
    transmit(call, reply);
  }

  private void transmit(IncomingCall call, Reply reply) {
    new ReplyTransmission(core, call.xid(), call.lists(), call.security(), reply,
        fault -> fault(call.xid(), RawHeader.VERSION, fault), cause -> spoilt(call, cause),
        this::replied).prepare();
  }

  private void spoilt(IncomingCall call, RuntimeException cause) {
    listener.encodingFailed(call, cause);
    replying++;
    transmit(call, Reply.systemError(call.xid()));
  }

  /**
   * Ends a call, and tells what is sent: SYSTEM_ERR if the service has released what it was only lent, or if
   * its results have no owner when the arguments are gone, and are somebody else's memory.
   */
  private Reply finish(IncomingCall call, Reply made) {
    PayloadStream reply = made.results();
    // Also what makes copies of views of the arguments, which have to be there for it.
    boolean owned = retained(reply);
    boolean sound = finish(call);
    if (owned) {
      reply.releaseItems();
    }
    // Retained once more to find out: what had no owner but the arguments has none now.
    if (owned && sound && retained(reply)) {
      reply.releaseItems();
      return made;
    }
    reply.releaseItemsLeft();
    listener.encodingFailed(call, new IllegalStateException("The service has released an item that it was"
        + " only lent, or one of its results has no owner: it did not retain it, or has released it"));
    return Reply.systemError(call.xid());
  }

  /** Tells whether each item had an owner, and has one more now. */
  private static boolean retained(PayloadStream reply) {
    try {
      reply.retainItems();
      return true;
    } catch (IllegalStateException e) {
      return false;
    }
  }

  private void replied() {
    replying--;
    core.checkDrained();
  }

  /** Ends a call that comes to no verdict. */
  private void fault(IncomingCall call, Fault fault) {
    drop(call, () -> fault(call.xid(), RawHeader.VERSION, fault));
  }

  /** Ends what turned out to be no call. */
  private void drop(IncomingCall call) {
    drop(call, () -> {});
  }

  private void drop(IncomingCall call, Runnable answer) {
    CallRecord record = call.takeRecord();
    finish(call);
    answer.run();
    if (record != null) {
      record.dropped();
    }
  }

  /** Tells whether the service has left alone what it was only lent. */
  private boolean finish(IncomingCall call) {
    call.answer();
    active.remove(call);
    core.deadlines().remove(call);
    return call.releaseArguments();
  }

  // Errors

  /** Answers a message that cannot be processed, in the way its fault demands. */
  public void fault(int xid, int version, Fault fault) {
    switch (fault.answer()) {
      case NOTHING -> core.counters().discarded++;
      case ERR_VERS, ERR_CHUNK -> submitCheap(new ErrorTransmission(core, xid, version, fault));
      default -> throw new IllegalStateException("No such answer: " + fault.answer());
    }
  }

  /** B-052, R-156: what is cheap to provoke does not wait in greater number than replies would. */
  private void submitCheap(Transmission answer) {
    if (!congested()) {
      core.outbox().submit(answer);
    }
  }

  /**
   * Ends the connection if more waits to be sent than answers to all calls that were granted, twice, and
   * this end's own calls: a call is in flight until its reply has left, and a peer that takes no
   * replies could have any number of them made.
   */
  private boolean congested() {
    ConnectionSettings settings = core.settings();
    if (core.outbox().waiting() <= 2 * settings.creditsGranted() + settings.creditsRequested()) {
      return false;
    }
    core.fail("The peer provokes answers faster than it takes them");
    return true;
  }

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
    puller.abandon();
    active.all().forEach(this::abandon);
  }

  /** Nothing of this connection counts any more, whatever may still come over it. */
  public void fence() {
    active.all().forEach(IncomingCall::connectionLost);
  }

  private void abandon(IncomingCall call) {
    call.connectionLost();
    if (call.pulling()) {
      // Memory, or a Read, is still to come: it finishes itself then. Nobody minds any more when.
      core.deadlines().remove(call.pull());
    } else {
      finish(call);
    }
  }
}
