// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.requester;

import dev.rpcrdma.protocol.binding.ResultRoom;
import dev.rpcrdma.protocol.chunk.CallPlan;
import dev.rpcrdma.protocol.chunk.UnplannableException;
import dev.rpcrdma.protocol.control.ControlProcedures;
import dev.rpcrdma.protocol.fabric.ConnectionCore;
import dev.rpcrdma.protocol.fabric.LoopPort;
import dev.rpcrdma.protocol.message.ExposedChunk;
import dev.rpcrdma.protocol.message.InlineCopies;
import dev.rpcrdma.protocol.message.MessageChunks;
import dev.rpcrdma.protocol.message.Pull;
import dev.rpcrdma.protocol.requester.Outcome.Kind;
import dev.rpcrdma.protocol.security.CallProtector;
import dev.rpcrdma.protocol.wire.ChunkLists;
import dev.rpcrdma.protocol.wire.RawHeader;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The side that calls.
 *
 * <p><b>Operation.</b> A call waits for a credit, gets its memory exposed, is sent, and is matched to
 * its reply by XID. Before its listener hears of the reply, everything exposed for it is revoked
 * (R-171, R-325).
 *
 * <p><b>Ownership.</b> An {@link OutboundCall} owns its regions until they are freed or handed over.
 */
public final class Requester {

  private final ConnectionCore core;
  /** Null until one is sent. */
  private Extensions extensions;
  private final PulledReplies pulledReplies;
  /** Null until there is something to say. */
  private ControlCalls control;
  private final LoopPort port;
  private final ArrayDeque<OutboundCall> queue = new ArrayDeque<>(0);
  /** Calls that wait for the connection to stand, and are protected then. */
  private final ArrayDeque<OutboundCall> unprotected = new ArrayDeque<>(0);
  /** Calls that are being protected: they wait for what may need a call by itself, and so have no credit. */
  private final Set<OutboundCall> securing = new LinkedHashSet<>();
  /** Calls that are protected or being so, and have no slot yet. */
  private final Set<OutboundCall> withoutSlot = new HashSet<>();
  private final LoopPort.Task<OutboundCall, Optional<ByteBuffer>> openings = this::opened;
  private final Credits credits;
  private final InFlight inFlight;
  private final InlineCopies inlineCopies = new InlineCopies();
  private final HeadTemplates templates = new HeadTemplates();
  /** Calls whose outcome is known, and whose memory is being fenced. */
  private int fencing;
  private long setAside;
  private boolean pumping;
  private boolean abandoned;

  /**
   * Creates it.
   *
   * @param port the way to the connection's thread
   * @param calls takes Long messages that turn out to be the peer's calls when they are pulled
   */
  public Requester(ConnectionCore core, LoopPort port, XidSlots xids, LongCalls calls) {
    this.core = core;
    this.port = port;
    this.credits = new Credits(core, xids);
    this.inFlight = credits.inFlight();
    this.pulledReplies = new PulledReplies(core, port, this, calls);
  }

  public Extensions extensions() {
    if (extensions == null) {
      extensions = new Extensions(core, this, credits);
    }
    return extensions;
  }

  ConnectionCore core() {
    return core;
  }

  ControlCalls control() {
    if (control == null) {
      control = new ControlCalls(core, credits.slots());
    }
    return control;
  }

  /** Tells the peer, which takes metadata, that this end is about to go. */
  public void leave() {
    control().leave();
  }

  LoopPort port() {
    return port;
  }

  InlineCopies inlineCopies() {
    return inlineCopies;
  }

  HeadTemplates templates() {
    return templates;
  }

  public int granted() {
    return credits.granted();
  }

  public int pending() {
    return queue.size() + unprotected.size() + securing.size() + inFlight.count(Answerable.class) + fencing;
  }

  /** Calls that still owe their caller an outcome. */
  public boolean idle() {
    return queue.isEmpty() && unprotected.isEmpty() && securing.isEmpty() && fencing == 0
        && (extensions == null || !extensions.waiting())
        && inFlight.allGivenUp();
  }

  /** Whether all that is in flight was given up, so that nothing but late replies can free a credit. */
  public boolean stuck() {
    return inFlight.size() > 0 && inFlight.allGivenUp();
  }

  /** Whether there are calls that have no credit yet. */
  public boolean callsWait() {
    return !queue.isEmpty() || !unprotected.isEmpty() || !securing.isEmpty();
  }

  /** Tells whether the connection is lost, so that each call hears so. */
  boolean isAbandoned() {
    return abandoned;
  }

  public long setAside() {
    return setAside;
  }

  void setAside(long delta) {
    setAside += delta;
  }

  /**
   * Takes a call on. One that another connection has taken on before was counted there.
   *
   * @param deadline absolute
   */
  public void call(OutboundCall call, long deadline) {
    boolean again = call.takenOn();
    call.takeOn(this, deadline);
    boolean protectedCall = call.head().protector().isPresent();
    // What makes a context is not kept from being sent by those that wait for it.
    int ahead = queue.size() + (protectedCall ? unprotected.size() + securing.size() : 0);
    if (!again && !call.head().goesAhead() && ahead >= core.settings().maxQueuedCalls()) {
      call.refuse(Kind.RESOURCES, "More than " + core.settings().maxQueuedCalls()
          + " calls wait for a credit; raise maxQueuedCalls or slow down");
      return;
    }
    core.deadlines().add(call.timer(), deadline);
    pumpExtensions();
    if (protectedCall) {
      if (call.hasXid()) {
        // Others may wait for its slot.
        queueAhead(unprotected, call, OutboundCall::hasXid);
      } else {
        unprotected.add(call);
      }
      pump();
    } else {
      queue(call);
    }
  }

  private void queue(OutboundCall call) {
    if (queue.isEmpty() && mayStart(call)) {
      start(call);
      if (!unprotected.isEmpty()) {
        // If it was refused, its slot is theirs.
        pump();
      }
      return;
    }
    if (call.head().goesAhead()) {
      queueAhead(queue, call, each -> each.head().goesAhead());
    } else {
      queue.add(call);
    }
    pump();
  }

  /** Tells whether calls that may finish depend on a call of the control program: on the exchange of a token. */
  public boolean needs(OutboundCall call) {
    return call.head().program() == ControlProcedures.PROGRAM && !securing.isEmpty();
  }

  /** Queues a call ahead of others, but behind earlier ones of its kind: the last announcement holds. */
  private static void queueAhead(Deque<OutboundCall> waiting, OutboundCall call, Predicate<OutboundCall> kind) {
    Deque<OutboundCall> earlier = new ArrayDeque<>();
    while (!waiting.isEmpty() && kind.test(waiting.peek())) {
      earlier.push(waiting.poll());
    }
    waiting.push(call);
    earlier.forEach(waiting::push);
  }

  // Protection

  /** A call is protected. */
  void secured(OutboundCall call) {
    securing.remove(call);
    queue(call);
  }

  /** A call is not going to be protected; its slot is free. */
  void securingEnded(OutboundCall call) {
    securing.remove(call);
    unprotected.remove(call);
    noLongerWithoutSlot(call);
    pump();
    core.checkDrained();
  }

  /** A call was refused since its protection was outdated, and is made once more. */
  void again(OutboundCall call, long deadline) {
    if (core.open()) {
      call(call, deadline);
    } else {
      refuseLate(call, Kind.CONNECTION_LOST, "The connection was lost before the call was sent again");
    }
  }

  /** The results of a call are there as the server has made them; from any thread. */
  void opened(OutboundCall call, Optional<ByteBuffer> results) {
    port.run(openings, call, results);
  }

  private void opened(OutboundCall call, Optional<ByteBuffer> results, long now) {
    try {
      call.opened(results);
    } finally {
      fencingEnded();
    }
  }

  /**
   * Protects no more calls than there are slots for: what protects a call may be scarce, as sequence numbers are, and
   * must not be held by calls that wait for the slots of others that lack it.
   */
  private void secureThoseThatWait() {
    for (OutboundCall call = nextUnprotected(); call != null; call = nextUnprotected()) {
      Optional<CallProtector> protector = call.head().protector();
      if (protector.isEmpty()) {
        // It has come by a credential meanwhile.
        queue(call);
      } else {
        securing.add(call);
        if (!call.hasXid()) {
          withoutSlot.add(call);
        }
        call.secure(protector.get());
      }
    }
  }

  /** Takes the first call that may be protected now; null if there is none. */
  private OutboundCall nextUnprotected() {
    OutboundCall first = unprotected.peek();
    return first != null && core.open() && credits.slotFor(first, withoutSlot.size()) ? unprotected.poll() : null;
  }

  /** Fails a call that comes too late for the connection. */
  public void refuseLate(OutboundCall call, Kind kind, String message) {
    call.takeOn(this, 0);
    call.refuse(kind, message);
  }

  /**
   * Sends what credits allow. A call that cannot be sent gives its credit to the next while it is being
   * started: that one waits for its turn here, since the stack has no room for a whole queue.
   */
  public void pump() {
    pumpExtensions();
    if (pumping) {
      return;
    }
    pumping = true;
    try {
      secureThoseThatWait();
      for (OutboundCall next = next(); next != null; next = next()) {
        start(next);
        // If it was refused, its slot is that of one that waits to be protected.
        secureThoseThatWait();
      }
    } finally {
      pumping = false;
    }
  }

  /** Whether one more message may be sent that takes a Receive of the peer. */
  public boolean hasCredit() {
    return credits.available();
  }

  /** Sends messages of OPTIONAL header types, which go ahead of calls. */
  private void pumpExtensions() {
    if (extensions != null) {
      extensions.pump();
    }
  }

  private boolean mayStart(OutboundCall call) {
    return hasCredit() && credits.slotFor(call, 0);
  }

  private void noLongerWithoutSlot(Object call) {
    if (!withoutSlot.isEmpty()) {
      withoutSlot.remove(call);
    }
  }

  /** Takes the first call out of the queue that may be sent now; null if there is none. */
  private OutboundCall next() {
    if (queue.isEmpty() || !hasCredit()) {
      return null;
    }
    if (credits.slotFor(queue.peek(), 0)) {
      return queue.poll();
    }
    // Some of those behind it may be what frees a slot.
    for (Iterator<OutboundCall> behind = queue.iterator(); behind.hasNext();) {
      OutboundCall call = behind.next();
      if (credits.slotFor(call, 0)) {
        behind.remove();
        return call;
      }
    }
    return null;
  }

  private void start(OutboundCall call) {
    noLongerWithoutSlot(call);
    if (call.head().needsMetadata() && !core.settings().metadata()) {
      refuseAtStart(call, "The peer takes no metadata, without which the call must not be sent");
      return;
    }
    CallPlan plan;
    try {
      // A reply has a block, too, which drops what does not fit.
      int block = core.settings().emptyMetadata();
      ResultBounds bounds = call.call().bounds();
      int typical = core.settings().largeReplies().pulls() ? bounds.typical() : bounds.max();
      plan = CallPlan.of(call.headLength() + call.metadataLength(), call.content(), roomForPlacedResults(call),
          call.resultsBound(typical) + block, call.resultsBound(bounds.max()) + block,
          core.settings().outboundInline(), core.settings().inboundInline(), core.settings().chunks());
    } catch (UnplannableException e) {
      refuseAtStart(call, e.getMessage());
      return;
    }
    call.takeXid(credits.slots());
    inFlight.put(call);
    call.prepare(plan);
  }

  /** Fails a call that cannot be sent. A message may wait for the slot that it had, and a close for its outcome. */
  private void refuseAtStart(OutboundCall call, String why) {
    core.deadlines().remove(call.timer());
    call.refuse(Kind.RESOURCES, why);
    pumpExtensions();
    core.checkDrained();
  }

  private List<Integer> roomForPlacedResults(OutboundCall call) {
    List<? extends ResultRoom> results = call.roomForResults();
    if (results.isEmpty()) {
      return List.of();
    }
    List<Integer> room = new ArrayList<>(results.size());
    results.forEach(result -> room.add(MessageChunks.room(result, core.settings())));
    return room;
  }

  /** The call was never sent: its credit is free at once. */
  void neverSent(Answerable call) {
    queue.remove(call);
    unprotected.remove(call);
    noLongerWithoutSlot(call);
    inFlight.remove(call);
    pump();
  }

  /** A call was given up, whose XID and credit are still in use. */
  void abandoned(OutboundCall call, AbandonedCall rest) {
    inFlight.replace(call, rest);
  }

  // Fencing

  /**
   * the owner of memory gets it back, and hears, when the peer cannot reach it; the pool does not mind.
   *
   * @param outcome tells the owner
   */
  void tellBehindFence(MessageChunks chunks, Runnable outcome) {
    fencingStarted();
    chunks.whenEnded(ExposedChunk::ofApplication, () -> {
      chunks.free(ExposedChunk::ofApplication);
      try {
        outcome.run();
      } finally {
        fencingEnded();
      }
    });
  }

  /**
   * gives memory back to its owner, who hears as soon as that is fenced, and what the pool has lent to the pool.
   *
   * @param outcome tells the owner
   */
  void giveBack(MessageChunks chunks, Runnable outcome) {
    tellBehindFence(chunks, outcome);
    end(chunks, () -> { });
  }

  /** Revokes everything, then tells the outcome, then frees what was not handed over. */
  void end(MessageChunks chunks, Runnable outcome) {
    fencingStarted();
    chunks.whenEnded(chunk -> true, () -> {
      try {
        outcome.run();
      } finally {
        // Whatever the caller throws, memory is not its business.
        chunks.free(chunk -> true);
        fencingEnded();
      }
    });
  }

  void fencingStarted() {
    fencing++;
  }

  void fencingEnded() {
    fencing--;
    if (callsWait()) {
      // A protected call keeps its slot until its reply has been looked at.
      pump();
    }
    core.checkDrained();
  }

  public boolean knows(int xid) {
    return inFlight.get(xid) != null;
  }

  /** Tells whether a message with this XID may be an answer to this end. */
  public boolean awaits(int xid) {
    return knows(xid) || control != null && control.knows(xid);
  }

  /**
   * Takes a message of an OPTIONAL header type. Its header does not tell the direction: it may be an answer, or a
   * message of the peer's own whose XID happens to be the same. So its credit field counts for nothing.
   *
   * @return false if it is no answer to one of ours
   */
  public boolean extension(int xid, int procedure, ByteBuffer body) {
    if (extensions == null || !extensions.answered(xid, procedure, body)) {
      return false;
    }
    pump();
    core.checkDrained();
    return true;
  }

  /** A reply has come: header and lists are sound, and the direction is certain. */
  public void reply(int xid, int granted, ChunkLists lists, boolean inline, ByteBuffer payload,
      OptionalInt invalidated) {
    if (answersControl(xid, invalidated)) {
      credits.grant(granted);
      control.replied(payload);
      pump();
      return;
    }
    Answerable call = take(xid, invalidated);
    if (call == null) {
      return;
    }
    credits.grant(granted);
    call.answered(lists, inline, payload);
    pump();
  }

  /** Tells whether a message answers a call of the connection's own, which exposes nothing to be invalidated. */
  private boolean answersControl(int xid, OptionalInt invalidated) {
    return control != null && invalidated.isEmpty() && control.knows(xid);
  }

  /** An RDMA_ERROR has come; its credit field is not trusted (C-02). */
  public void error(int xid, int error, OptionalInt invalidated) {
    if (answersControl(xid, invalidated)) {
      control.refused();
      return;
    }
    if (extensions != null && invalidated.isEmpty() && extensions.refused(xid, error)) {
      pump();
      core.checkDrained();
      return;
    }
    Answerable call = take(xid, invalidated);
    if (call != null) {
      call.fail(new Outcome.Failed(Kind.REMOTE_ERROR, error == RawHeader.ERR_VERS
          ? "The peer does not speak RPC-over-RDMA version 1"
          : "The peer could not process the message or its chunks (ERR_CHUNK). The results may be larger than the "
              + call.room() + " bytes" + call.placedRoom() + " that the call had room for: raise its reply bound"
              + " (CallOptions.withMaxReply, or @MaxReply on its method), or give what is placed a longer target"
              + " (@Into). If the arguments are large, the peer may not take as much, or not as much at a time. Or it"
              + " has no memory for the reply: a server of this library says so in its log",
          true));
      pump();
    }
  }

  /** A reply that cannot be decoded: nothing goes out, the call fails (R-143, C-10). */
  public void badReply(int xid, String problem, OptionalInt invalidated) {
    if (answersControl(xid, invalidated)) {
      control.refused();
      return;
    }
    Answerable call = take(xid, invalidated);
    if (call != null) {
      call.fail(Outcome.Failed.badReply(problem));
      pump();
    }
  }

  // Replies in Read chunks of the peer's

  /**
   * A Long message has come with the XID of a call in flight: its reply, or a call of the peer.
   *
   * @param invalidated what only a reply may do
   */
  public void longMessage(int xid, int granted, ChunkLists lists, OptionalInt invalidated, long now) {
    if (invalidated.isPresent()) {
      Answerable pending = sent(xid);
      if (pending == null || !pending.chunks().invalidated(invalidated.getAsInt())) {
        core.fail("The peer invalidated a steering tag that does not belong to its reply");
        return;
      }
    }
    pulledReplies.arrived(xid, granted, lists, now);
  }

  /** Tells whether a message with this XID is being pulled, as the reply to a call or as a call of the peer. */
  public boolean isUndecided(int xid) {
    return pulledReplies.isPulling(xid);
  }

  /** Tells whether a call waits for a reply with this XID. */
  public boolean waitsFor(int xid) {
    return sent(xid) != null;
  }

  /** A Long message has come whose lists cannot be read: if it is a reply, its responder keeps it until RDMA_DONE. */
  public void unreadable(int xid) {
    if (core.settings().largeReplies().pulls() && sent(xid) != null) {
      pulledReplies.done(xid, OptionalInt.empty());
    }
  }

  /**
   * Called when what is no call has been pulled, and RDMA_DONE is on its way.
   *
   * @param granted the grant; empty if the message does not say for certain that it is a reply
   */
  void pulledReply(int xid, OptionalInt granted, ChunkLists lists, Pull pull) {
    Answerable call = take(xid, OptionalInt.empty());
    if (call == null) {
      pull.free();
      return;
    }
    granted.ifPresent(credits::grant);
    call.pulled(lists, pull);
    pump();
    core.checkDrained();
  }

  /** A reply could not be pulled, and RDMA_DONE is on its way. */
  void uselessReply(int xid, String problem) {
    Answerable call = take(xid, OptionalInt.empty());
    if (call != null) {
      call.fail(new Outcome.Failed(Kind.RESOURCES, "The reply cannot be pulled: " + problem, true));
      pump();
      core.checkDrained();
    }
  }

  /**
   * A reply has come in Read chunks of the peer's that belongs to no call in flight, or that nobody has agreed
   * to (C-10), in which case its call fails at once.
   *
   * @param handle a tag of the reply's
   * @return false if it is nobody's
   */
  public boolean strayReply(int xid, OptionalInt handle) {
    if (core.settings().largeReplies().pulls()) {
      // its responder keeps it until then.
      pulledReplies.done(xid, handle);
      return false;
    }
    if (sent(xid) == null) {
      return false;
    }
    badReply(xid, "it came in Read chunks, which was not agreed", OptionalInt.empty());
    return true;
  }

  /** The call that a reply may be matched to; null if there is none. */
  private Answerable sent(int xid) {
    return inFlight.get(xid) instanceof Answerable call && call.sent() ? call : null;
  }

  /** Ends the wait for a reply. B-037: a peer may invalidate only what belongs to this call. */
  private Answerable take(int xid, OptionalInt invalidated) {
    Answerable call = sent(xid);
    if (call == null) {
      core.counters().discarded++;
      if (invalidated.isPresent()) {
        core.fail("The peer invalidated a steering tag with a reply to no call");
      }
      return null;
    }
    inFlight.remove(call);
    if (!call.keepsXid()) {
      call.endXid();
    }
    core.deadlines().remove(call.timer());
    if (invalidated.isPresent() && !call.chunks().invalidated(invalidated.getAsInt())) {
      core.fail("The peer invalidated a steering tag that does not belong to its reply");
    }
    return call;
  }

  /** No new calls: those that wait fail, those in flight go on. */
  public void drain() {
    if (extensions != null) {
      extensions.drain();
    }
    for (OutboundCall call : takeWaiting()) {
      // The outcome of one may have cancelled another.
      if (call.owed()) {
        core.deadlines().remove(call.timer());
        call.refuse(Kind.CLOSED, "The connection is being closed");
      }
    }
  }

  /** Calls that have not begun. */
  private List<OutboundCall> takeWaiting() {
    List<OutboundCall> waiting = new ArrayList<>(queue);
    waiting.addAll(unprotected);
    waiting.addAll(securing);
    securing.forEach(OutboundCall::stopSecuring);
    queue.clear();
    unprotected.clear();
    securing.clear();
    withoutSlot.clear();
    return waiting;
  }

  /** The connection is lost; exposures have ended before. */
  public void abandon(String reason) {
    abandoned = true;
    if (extensions != null) {
      extensions.abandon(reason);
    }
    pulledReplies.abandon();
    if (control != null) {
      control.abandon();
    }
    List<Answerable> all = new ArrayList<>(takeWaiting());
    all.addAll(inFlight.removeAll(Answerable.class));
    for (Answerable call : all) {
      core.deadlines().remove(call.timer());
      call.connectionLost(reason);
    }
  }
}
