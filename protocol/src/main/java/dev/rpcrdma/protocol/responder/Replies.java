// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.responder;

import dev.rpcrdma.protocol.fabric.ConnectionCore;
import dev.rpcrdma.protocol.fabric.LoopPort;
import dev.rpcrdma.protocol.fault.Fault;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.security.BodyProtection;
import dev.rpcrdma.protocol.table.PlaceList;
import dev.rpcrdma.protocol.wire.RawHeader;
import dev.rpcrdma.protocol.xdr.PayloadStream;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * How the calls of a connection end: with results, with a head that says why there are none, with the reply to
 * their first appearance, or with an error.
 *
 * <p><b>Ownership.</b> A call's arguments are freed when it has ended, unless its service may still read them;
 * results are released when their transmission is over.
 */
final class Replies {

  private final ConnectionCore core;
  private final LoopPort port;
  private final ConnectionListener listener;
  private final CheapAnswers errors;
  /** The peer's calls that have not ended. */
  private final PlaceList<IncomingCall> active;
  private final ProvidedReplies provided;
  private final InlineReply inlineReply;
  /** For replies that are laid out where they are encoded, one at a time. */
  private XdrWriter writer = new XdrWriter();
  private boolean writing;
  private final LoopPort.Task<Protecting, Optional<byte[]>> protections = this::hide;
  /** Calls whose replies are on their way, with memory that is still in use. */
  private final PlaceList<IncomingCall> replying = new PlaceList<>();

  /** Replies that another thread protects. */
  private final List<Protecting> protecting = new ArrayList<>(0);

  private record Protecting(IncomingCall call, Reply reply) {}

  private final Copies copies = new Copies();

  Replies(ConnectionCore core, LoopPort port, ConnectionListener listener, CheapAnswers errors,
      PlaceList<IncomingCall> active, ProvidedReplies provided) {
    this.core = core;
    this.port = port;
    this.listener = listener;
    this.errors = errors;
    this.active = active;
    this.provided = provided;
    this.inlineReply = new InlineReply(core);
  }

  /** Calls whose replies are on their way. */
  List<IncomingCall> underWay() {
    return replying.all();
  }

  /** Whether no reply is on its way. */
  boolean idle() {
    return replying.isEmpty();
  }

  /** Answers with results; an encoder that throws whatever it may makes it SYSTEM_ERR. */
  void reply(IncomingCall call, XdrEncoder results) {
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
    boolean inline = call.lists().isEmpty() && inlineReply.takes(call, target);
    if (inline && call.recorded()) {
      copies.of(call, target);
      remember(call, copies);
      copies.of(null, null);
      // Who has repeated the call has been answered by that, and the outbox may be busy now.
      inline = inlineReply.takes(call, target);
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
    // However large it is: the call may come again over another connection.
    call.undelivered(reply);
    reply.results().releaseItemsLeft();
    call.released();
  }

  private static void remember(IncomingCall call, Supplier<Reply> reply) {
    CallRecord record = call.takeRecord();
    if (record != null) {
      record.replied(reply);
    }
  }

  /** Answers with a head alone. */
  void answer(IncomingCall call, Reply reply) {
    call.serving(false);
    if (call.answered()) {
      remember(call, () -> reply);
      call.releaseArguments();
      call.released();
    } else {
      send(call, reply);
    }
  }

  /**
   * Answers a call with a reply that was made before, for the same call when it came first.
   *
   * @param reply keeps its items; the transmission takes owners of its own
   */
  void answerAgain(IncomingCall call, Reply reply) {
    call.serving(false);
    if (call.answered()) {
      call.releaseArguments();
    } else {
      reply.results().retainItems();
      send(call, reply);
    }
  }

  /** Answers a call that was executed before, and whose reply nobody has any more. */
  void answerGone(IncomingCall call) {
    call.serving(false);
    if (call.answered()) {
      call.releaseArguments();
    } else {
      fault(call, Fault.REPLY_TOO_LARGE);
    }
  }

  /** Answers that a call was not executed. */
  void reject(IncomingCall call, Reply reply) {
    CallRecord record = call.takeRecord();
    answer(call, reply);
    if (record != null) {
      record.refused(reply);
    }
  }

  /**
   * Answers that the arguments are not what the caller has protected. Nothing is remembered of it: somebody on the path
   * may have changed them, and the call comes again as it is.
   */
  void garbled(IncomingCall call) {
    CallRecord record = call.takeRecord();
    answer(call, new Reply(new ReplyHeader.Accepted(call.xid(), AcceptStatus.GARBAGE_ARGS)));
    if (record != null) {
      record.dropped();
    }
  }

  /** A service has had its time: it goes on, and may read the arguments until it ends; its caller waits no longer. */
  void late(IncomingCall call) {
    send(call, Reply.systemError(call.xid()));
  }

  private void sendInline(IncomingCall call, XdrWriter reply) {
    finish(call);
    core.counters().callsServed++;
    try {
      inlineReply.submit(call, reply);
    } catch (IllegalStateException e) {
      unsigned(call, e);
    }
    call.released();
    call.over();
  }

  private void send(IncomingCall call, Reply made) {
    Reply reply = finish(call, made);
    replying.add(call);
    remember(call, () -> reply);
    core.counters().callsServed++;
    if (!core.open()) {
      // Fenced, so that nobody will pull it; its call may come again before its memory is there.
      call.undelivered(reply);
    }
    transmit(call, reply);
  }

  private void transmit(IncomingCall call, Reply reply) {
    Optional<BodyProtection> bodies = reply.isSuccess() ? call.security().bodies() : Optional.empty();
    if (bodies.isEmpty()) {
      transmit(call, reply, reply.results());
      return;
    }
    byte[] plain;
    try {
      plain = reply.results().toByteArray();
    } catch (IllegalStateException e) {
      notProtected(call, reply, e);
      return;
    }
    Protecting begun = new Protecting(call, reply);
    protecting.add(begun);
    // At each transmission, also of a reply that is given again: each call has a number of its own.
    bodies.get().protect(ByteBuffer.wrap(plain), body -> port.run(protections, begun, body));
  }

  /** Keeps the replies that are being protected: the requester may repeat their calls before protection ends. */
  void fence() {
    // A copy: what is kept takes the room of others, and an application that has its memory back may answer a call.
    List.copyOf(protecting).forEach(begun -> begun.call.undelivered(begun.reply));
  }

  private void hide(Protecting reply, Optional<byte[]> body, long now) {
    protecting.remove(reply);
    if (body.isEmpty()) {
      notProtected(reply.call, reply.reply, new IllegalStateException("The results cannot be protected: the mechanism"
          + " has failed, or its thread has ended"));
    } else {
      transmit(reply.call, reply.reply, PayloadStream.owning(body.get()));
    }
  }

  private void notProtected(IncomingCall call, Reply reply, Throwable cause) {
    reply.results().releaseItemsLeft();
    replied(call);
    spoilt(call, cause);
  }

  private void transmit(IncomingCall call, Reply reply, PayloadStream results) {
    new ReplyTransmission(core, call, reply, results, provided, reason -> refused(call, reason),
        cause -> spoilt(call, reply, cause), () -> replied(call)).prepare();
  }

  private void refused(IncomingCall call, String reason) {
    listener.replyRefused(call, reason);
    errors.fault(call.xid(), RawHeader.VERSION, Fault.REPLY_TOO_LARGE);
  }

  private void spoilt(IncomingCall call, Reply reply, Throwable cause) {
    if (reply.isSuccess()) {
      spoilt(call, cause);
    } else {
      unsigned(call, cause);
    }
  }

  /**
   * Not even a head can be sent, since nothing can sign it. What is not signed is no reply (B-116), and a refusal would
   * have the call made once more: an error of the transport ends it.
   */
  private void unsigned(IncomingCall call, Throwable cause) {
    listener.encodingFailed(call, cause);
    errors.fault(call.xid(), RawHeader.VERSION, Fault.REPLY_TOO_LARGE);
  }

  private void spoilt(IncomingCall call, Throwable cause) {
    listener.encodingFailed(call, cause);
    replying.add(call);
    transmit(call, Reply.systemError(call.xid()));
  }

  /**
   * Ends a call, and tells what is sent: SYSTEM_ERR if the service has released what it was only lent, or if
   * its results have no owner when the arguments are gone, and are somebody else's memory.
   */
  private Reply finish(IncomingCall call, Reply made) {
    PayloadStream reply = made.results();
    // Also what makes copies of views of the arguments, which have to be there for it.
    boolean owned = reply.tryRetainItems();
    boolean sound = finish(call);
    if (owned) {
      reply.releaseItems();
    }
    // Retained once more to find out: what had no owner but the arguments has none now.
    if (owned && sound && reply.tryRetainItems()) {
      reply.releaseItems();
      return made;
    }
    reply.releaseItemsLeft();
    listener.encodingFailed(call, new IllegalStateException("The service has released an item that it was"
        + " only lent, or one of its results has no owner: it did not retain it, or has released it"));
    return Reply.systemError(call.xid());
  }

  private void replied(IncomingCall call) {
    replying.remove(call);
    call.released();
    call.over();
    core.checkDrained();
  }

  /** Ends a call that comes to no verdict. */
  void fault(IncomingCall call, Fault fault) {
    drop(call, () -> errors.fault(call.xid(), RawHeader.VERSION, fault));
  }

  /** Ends what turned out to be no call. */
  void drop(IncomingCall call) {
    drop(call, () -> {});
  }

  private void drop(IncomingCall call, Runnable answer) {
    CallRecord record = call.takeRecord();
    finish(call);
    answer.run();
    call.over();
    if (record != null) {
      record.dropped();
    }
  }

  /** Ends a call; tells whether the service has left alone what it was only lent. */
  boolean finish(IncomingCall call) {
    call.answer();
    active.remove(call);
    core.deadlines().remove(call);
    return call.releaseArguments();
  }

  /** Copies the reply that is being made, if somebody wants it: one for all, since few do. */
  private static final class Copies implements Supplier<Reply> {

    private IncomingCall call;
    private XdrWriter results;

    void of(IncomingCall answered, XdrWriter written) {
      call = answered;
      results = written;
    }

    @Override
    public Reply get() {
      return Reply.success(call.xid(), results.copyToPayloadStream());
    }
  }
}
