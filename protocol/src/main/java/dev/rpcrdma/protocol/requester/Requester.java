package dev.rpcrdma.protocol.requester;

import dev.rpcrdma.protocol.chunk.CallPlan;
import dev.rpcrdma.protocol.chunk.UnplannableException;
import dev.rpcrdma.protocol.fabric.ConnectionCore;
import dev.rpcrdma.protocol.message.ExposedChunks;
import dev.rpcrdma.protocol.message.InlineCopies;
import dev.rpcrdma.protocol.requester.CallFailure.Kind;
import dev.rpcrdma.protocol.wire.ChunkLists;
import dev.rpcrdma.protocol.wire.RawHeader;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * The side that calls.
 *
 * <p><b>Operation.</b> A call waits for a credit, gets its memory exposed, is sent, and is matched to
 * its reply by XID. Before its listener hears of the reply, everything exposed for it is revoked
 * (R-171, R-325).
 *
 * <p><b>Credits.</b> One until the first reply, then what the peer grants, never more than
 * requested. A call occupies its credit from the moment its memory is exposed until its reply
 * comes, however late: giving a call up does not give the credit back.
 *
 * <p><b>Ownership.</b> A {@link OutboundCall} owns its regions until they are freed or handed over.
 */
public final class Requester {

  private final ConnectionCore core;
  private final XidSlots xids;
  private final Extensions extensions;
  private final ArrayDeque<OutboundCall> queue = new ArrayDeque<>();
  /** Calls, and messages of OPTIONAL header types. */
  private final InFlight inFlight;
  private final InlineCopies inlineCopies = new InlineCopies();
  /** Calls whose outcome is known, and whose memory is being fenced. */
  private int fencing;
  private int granted = 1;
  private long setAside;
  private boolean pumping;

  public Requester(ConnectionCore core, XidSlots xids) {
    this.core = core;
    this.xids = xids;
    this.inFlight = new InFlight(xids);
    this.extensions = new Extensions(core, this, inFlight);
  }

  public Extensions extensions() {
    return extensions;
  }

  InlineCopies inlineCopies() {
    return inlineCopies;
  }

  public int granted() {
    return granted;
  }

  public int pending() {
    return queue.size() + inFlight.count(OutboundCall.class) + fencing;
  }

  /** Calls that still owe their caller an outcome. */
  public boolean idle() {
    return queue.isEmpty() && fencing == 0 && !extensions.waiting() && inFlight.allGivenUp();
  }

  /** Whether all that is in flight was given up, so that nothing but late replies can free a credit. */
  public boolean stuck() {
    return inFlight.size() > 0 && inFlight.allGivenUp();
  }

  /** Whether there are calls that have no credit yet. */
  public boolean callsWait() {
    return !queue.isEmpty();
  }

  public long setAside() {
    return setAside;
  }

  void setAside(long delta) {
    setAside += delta;
  }

  /**
   * Takes a call on.
   *
   * @param listener gets the outcome
   * @param xid the one that it was sent with before, if it was
   * @param again true if it was taken on by another connection before, and counted there
   * @param deadline absolute
   */
  public OutboundCall call(Call call, CallListener listener, OptionalInt xid, boolean again,
      long deadline) {
    OutboundCall pending = new OutboundCall(this, core, call, listener, xid);
    if (!again && queue.size() >= core.settings().maxQueuedCalls()) {
      pending.refuse(Kind.RESOURCES, "More than " + core.settings().maxQueuedCalls()
          + " calls wait for a credit; raise the limit or slow down");
      return pending;
    }
    core.deadlines().add(pending, deadline);
    extensions.pump();
    if (queue.isEmpty() && mayStart(pending)) {
      start(pending);
    } else {
      queue.add(pending);
      pump();
    }
    return pending;
  }

  /**
   * Sends what credits allow. A call that cannot be sent gives its credit to the next while it is being
   * started: that one waits for its turn here, since the stack has no room for a whole queue.
   */
  public void pump() {
    extensions.pump();
    if (pumping) {
      return;
    }
    pumping = true;
    try {
      while (!queue.isEmpty() && mayStart(queue.peek())) {
        start(queue.poll());
      }
    } finally {
      pumping = false;
    }
  }

  /** Whether one more message may be sent that takes a Receive of the peer. */
  public boolean hasCredit() {
    return core.open() && inFlight.size() < Math.min(granted, core.settings().creditsRequested());
  }

  /** A call that was sent before has its slot; one that was not needs a free one. */
  private boolean mayStart(OutboundCall pending) {
    return hasCredit() && (pending.hasXid() || xids.available());
  }

  private void start(OutboundCall pending) {
    Call call = pending.call();
    CallPlan plan;
    try {
      plan = CallPlan.of(pending.headLength(), call.arguments(), roomForPlacedResults(call),
          call.maxResults(), core.settings().outboundInline(), core.settings().inboundInline(),
          core.settings().chunks());
    } catch (UnplannableException e) {
      core.deadlines().remove(pending);
      pending.refuse(Kind.RESOURCES, e.getMessage());
      return;
    }
    pending.takeXid();
    inFlight.put(pending);
    pending.prepare(plan);
  }

  private List<Integer> roomForPlacedResults(Call call) {
    if (call.placedResults().isEmpty()) {
      return List.of();
    }
    List<Integer> room = new ArrayList<>(call.placedResults().size());
    call.placedResults().forEach(result -> room.add(ExposedChunks.room(result, core.settings())));
    return room;
  }

  /** The XIDs of this end; a message of an OPTIONAL header type takes one as a call does. */
  XidSlots xids() {
    return xids;
  }

  /** The call was never sent: its credit is free at once. */
  void neverSent(OutboundCall pending) {
    queue.remove(pending);
    inFlight.remove(pending);
    pump();
  }

  void fencingStarted() {
    fencing++;
  }

  void fencingEnded() {
    fencing--;
    core.checkDrained();
  }

  public boolean knows(int xid) {
    return inFlight.get(xid) != null;
  }

  /**
   * A message of an OPTIONAL header type has come.
   *
   * @return false if it is no answer to one of ours
   */
  public boolean extension(int xid, int credits, int procedure, ByteBuffer body) {
    if (!extensions.answered(xid, procedure, body)) {
      return false;
    }
    grant(credits);
    pump();
    core.checkDrained();
    return true;
  }

  /** C-03: a grant of zero reads as one. R-024: never more than was asked for. */
  private void grant(int credits) {
    granted = Math.max(1, (int) Math.min(Integer.toUnsignedLong(credits),
        core.settings().creditsRequested()));
  }

  /** A reply has come: header and lists are sound, and the direction is certain. */
  public void reply(int xid, int credits, ChunkLists lists, boolean inline, ByteBuffer payload,
      OptionalInt invalidated) {
    OutboundCall pending = take(xid, invalidated);
    if (pending == null) {
      return;
    }
    grant(credits);
    pending.reply(lists, inline, payload);
    pump();
  }

  /** An RDMA_ERROR has come; its credit field is not trusted (C-02). */
  public void error(int xid, int error, OptionalInt invalidated) {
    if (invalidated.isEmpty() && extensions.refused(xid, error)) {
      pump();
      core.checkDrained();
      return;
    }
    OutboundCall pending = take(xid, invalidated);
    if (pending != null) {
      pending.remoteError(error == RawHeader.ERR_VERS
          ? "The peer does not speak RPC-over-RDMA version 1"
          : "The peer could not process the message or its chunks (ERR_CHUNK); if the results are"
              + " larger than expected, raise the call's reply bound; if the arguments are large, the peer"
              + " may not take as much, or not as much at a time");
      pump();
    }
  }

  /** A reply that cannot be decoded: nothing goes out, the call fails (R-143, C-10). */
  public void badReply(int xid, String problem, OptionalInt invalidated) {
    OutboundCall pending = take(xid, invalidated);
    if (pending != null) {
      pending.badReply(problem);
      pump();
    }
  }

  /**
   * A reply has come in Read chunks of the peer's, which nobody has agreed to (C-10): its call fails at once.
   *
   * @return false if there is no such call
   */
  public boolean pulledReply(int xid) {
    if (sent(xid) == null) {
      return false;
    }
    badReply(xid, "it came in Read chunks, which was not agreed", OptionalInt.empty());
    return true;
  }

  /** The call that a reply may be matched to; null if there is none. */
  private OutboundCall sent(int xid) {
    return inFlight.get(xid) instanceof OutboundCall call && call.sent() ? call : null;
  }

  /** Ends the wait for a reply. B-037: a peer may invalidate only what belongs to this call. */
  private OutboundCall take(int xid, OptionalInt invalidated) {
    OutboundCall pending = sent(xid);
    if (pending == null) {
      core.counters().discarded++;
      if (invalidated.isPresent()) {
        core.fail("The peer invalidated a steering tag with a reply to no call");
      }
      return null;
    }
    inFlight.remove(pending);
    pending.endXid();
    core.deadlines().remove(pending);
    if (invalidated.isPresent() && !pending.chunks().invalidated(invalidated.getAsInt())) {
      core.fail("The peer invalidated a steering tag that does not belong to its reply");
    }
    return pending;
  }

  /** No new calls: those that wait fail, those in flight go on. */
  public void drain() {
    extensions.drain();
    List<OutboundCall> waiting = new ArrayList<>(queue);
    queue.clear();
    for (OutboundCall pending : waiting) {
      core.deadlines().remove(pending);
      pending.refuse(Kind.CLOSED, "The connection is being closed");
    }
  }

  /** The connection is lost; exposures have ended before. */
  public void abandon(String reason) {
    extensions.abandon(reason);
    List<OutboundCall> all = new ArrayList<>(queue);
    all.addAll(inFlight.removeAll(OutboundCall.class));
    queue.clear();
    for (OutboundCall pending : all) {
      core.deadlines().remove(pending);
      pending.connectionLost(reason);
    }
  }
}
