// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.connection;

import dev.rpcrdma.protocol.fabric.ConnectionCore;
import dev.rpcrdma.protocol.fabric.ConnectionSettings;
import dev.rpcrdma.protocol.fabric.Counters;
import dev.rpcrdma.protocol.fabric.Exposures;
import dev.rpcrdma.protocol.fabric.Fabric;
import dev.rpcrdma.protocol.fabric.LoopPort;
import dev.rpcrdma.protocol.fabric.Memory;
import dev.rpcrdma.protocol.fabric.Outbox;
import dev.rpcrdma.protocol.fabric.ReadQueue;
import dev.rpcrdma.protocol.fault.Fault;
import dev.rpcrdma.protocol.message.Pull;
import dev.rpcrdma.protocol.oncrpc.SecureChannel;
import dev.rpcrdma.protocol.requester.ExtensionListener;
import dev.rpcrdma.protocol.requester.LongCalls;
import dev.rpcrdma.protocol.requester.OutboundCall;
import dev.rpcrdma.protocol.requester.Outcome;
import dev.rpcrdma.protocol.requester.Outcome.Kind;
import dev.rpcrdma.protocol.requester.Requester;
import dev.rpcrdma.protocol.requester.XidSlots;
import dev.rpcrdma.protocol.responder.CallHistory;
import dev.rpcrdma.protocol.responder.ConnectionListener;
import dev.rpcrdma.protocol.responder.HeaderExtension;
import dev.rpcrdma.protocol.responder.Responder;
import dev.rpcrdma.protocol.responder.StrayReplies;
import dev.rpcrdma.protocol.time.Deadlines;
import dev.rpcrdma.protocol.wire.ChunkLists;
import dev.rpcrdma.protocol.wire.InboundMetadata;
import dev.rpcrdma.protocol.wire.RawHeader;
import java.nio.ByteBuffer;
import java.util.OptionalInt;

/**
 * One end of an RPC-over-RDMA version 1 connection: its life, and what requester and responder share. See
 * the package for how to drive it.
 *
 * <pre>
 *   NEW ──established──▶ OPEN ──close──▶ DRAINING ──idle, or drain time over──▶ (disconnect asked)
 *    │                    │                 │                                        │
 *    └────────────────────┴──── disconnected ┴──────────▶ LOST ◀─────────────────────┘
 * </pre>
 */
public final class ConnectionMachine {

  private enum State { NEW, OPEN, DRAINING, LOST }

  private final Fabric fabric;
  private final Memory memory;
  private final ConnectionListener listener;
  private final Counters counters = new Counters();
  private final InboundMetadata metadata = new InboundMetadata();
  private final LoopPort port;
  private final Deadlines deadlines;
  private final Outbox outbox;
  private final ReadQueue reads;
  private final Exposures exposures;
  private final Requester requester;
  private final Responder responder;
  private final MessageRouter router;
  private final KeepAlive keepAlive;
  /** Longer than any connection lives. */
  private static final long NO_LIMIT = Long.MAX_VALUE / 4;

  /** Until when calls may finish, once it is draining. */
  private long drainUntil;
  /** The client has been told that this end leaves, and ends the connection when all that it has sent is answered. */
  private boolean leaving;
  private final Deadlines.Entry drainDeadline = new Deadlines.Entry() {
    @Override
    protected void expired(long now) {
      disconnect(isIdle() ? "Closed" : "The connection was closed before all calls had ended");
    }
  };
  private SecureChannel channel = SecureChannel.NONE;
  private ConnectionSettings settings;
  private State state = State.NEW;
  private boolean disconnecting;
  private boolean fenced;

  /**
   * Creates an end that is not connected yet. Calls may be made; they wait.
   *
   * @param fabric carries out what the machine wants
   * @param memory gives it memory
   * @param deadlines where its own are put, with those of all other machines of its thread
   * @param port the way to the thread of all that
   * @param listener hears of the peer's calls
   * @param settings what holds until {@link #established}; its bounds apply at once
   * @param xids where calls of this end get their XIDs from
   * @param history what is remembered of the peer's calls on other connections
   */
  public ConnectionMachine(Fabric fabric, Memory memory, Deadlines deadlines, LoopPort port,
      ConnectionListener listener, ConnectionSettings settings, XidSlots xids, CallHistory history) {
    this.fabric = fabric;
    this.memory = memory;
    this.deadlines = deadlines;
    this.port = port;
    this.listener = listener;
    this.settings = settings;
    this.outbox = new Outbox(fabric, memory);
    this.reads = new ReadQueue(fabric);
    this.exposures = new Exposures(fabric);
    ConnectionCore core = new Core();
    this.requester = new Requester(core, port, xids, new PeersCalls());
    this.responder = new Responder(core, port, listener, history, new Strays());
    this.keepAlive = new KeepAlive(core, requester, responder::idle);
    this.router = new MessageRouter(core, requester, responder);
  }

  // Questions

  /**
   * What holds for the connection.
   *
   * @return what was agreed; before establishment what this end began with
   */
  public ConnectionSettings settings() {
    return settings;
  }

  /**
   * What went through.
   *
   * @return live counters
   */
  public Counters counters() {
    return counters;
  }

  /**
   * Own calls without an outcome, or whose late reply is still owed.
   *
   * @return a count
   */
  public int pendingCalls() {
    return requester.pending();
  }

  /**
   * Calls of the peer that are being served.
   *
   * @return a count
   */
  public int activeCalls() {
    return responder.active();
  }

  /**
   * How many calls the peer lets this end have in flight.
   *
   * @return the current grant
   */
  public int grantedCredits() {
    return requester.granted();
  }

  /**
   * Ranges of memory that the peer can reach, or that are on their way there or back.
   *
   * @return a count
   */
  public int exposures() {
    return exposures.count();
  }

  /**
   * Pool memory held back because the peer may still write to it.
   *
   * @return bytes
   */
  public long bytesSetAside() {
    return requester.setAside();
  }

  /**
   * Replies of this end that wait to be pulled, or are on their way there or back.
   *
   * @return a count
   */
  public int providedReplies() {
    return responder.provided();
  }

  // Commands

  /**
   * Makes a call. One that another connection has sent goes out with the XID that it has; one that another
   * connection has taken on is not refused for the length of the queue.
   *
   * @param call what to call; hears of its outcome exactly once
   * @param deadline when to give it up, on the embedder's clock
   */
  public void call(OutboundCall call, long deadline) {
    if (state == State.DRAINING && responder.idle() && !requester.needs(call) || disconnecting) {
      requester.refuseLate(call, Kind.CLOSED, "The connection is closed");
    } else if (state == State.LOST) {
      requester.refuseLate(call, Kind.CONNECTION_LOST, "The connection was lost before the call was sent");
    } else {
      requester.call(call, deadline);
    }
  }

  /**
   * Sends a message of an OPTIONAL header type, or finds out that the peer does not know it. Nothing
   * uses this by itself: it is for header types that an application defines.
   *
   * @param procedure rdma_proc, above {@code RDMA_ERROR}
   * @param body what goes behind the four fixed words
   * @param listener hears of the outcome
   * @param deadline when to give up, on the embedder's clock
   * @throws IllegalArgumentException if the number is one of version 1's own
   */
  public void extension(int procedure, byte[] body, ExtensionListener listener, long deadline) {
    HeaderExtension.checkProcedure(procedure);
    if (state == State.DRAINING || state == State.LOST || disconnecting) {
      listener.failed(new Outcome.Failed(Kind.CLOSED, "The connection is closed"));
    } else {
      requester.extensions().send(procedure, body.clone(), listener, deadline);
    }
  }

  /**
   * Says what the connection is to those who protect calls; before it is established.
   *
   * @param secure {@link SecureChannel#NONE} unless said
   */
  public void over(SecureChannel secure) {
    channel = secure;
  }

  /**
   * Serves an OPTIONAL header type. Without one, the peer's attempts are answered ERR_CHUNK.
   *
   * @param extension what serves it
   * @throws IllegalArgumentException if the number is one of version 1's own
   */
  public void serve(HeaderExtension extension) {
    HeaderExtension.checkProcedure(extension.procedure());
    responder.serve(extension);
  }

  /**
   * Ends the connection, and makes this end deaf to whatever may still come over it: the peer has another
   * connection, over which it repeats its calls. A message that came late and was executed after its
   * repetition had been answered would be executed twice. In any state; idempotent.
   *
   * @param reason for people
   */
  public void fence(String reason) {
    if (!fenced && state != State.LOST) {
      fenced = true;
      responder.fence();
      disconnect(reason);
    }
  }

  /**
   * Takes no more calls of this end, lets those in flight finish for as long as the settings say, then disconnects.
   * While calls of the peer are served, calls of this end that they need are taken as ever. A client that takes
   * metadata is told to end the connection itself, since what it has sent may still be on its way. Idempotent.
   *
   * @param now the time
   */
  public void close(long now) {
    close(now, settings.drainNanos());
  }

  /**
   * As {@link #close(long)}, with a time of the caller's own. Of several the one that ends first counts.
   *
   * @param now the time
   * @param drainNanos how long calls in flight may take
   */
  public void close(long now, long drainNanos) {
    if (state == State.NEW) {
      disconnect("Closed before it was established");
    } else if (state == State.OPEN) {
      leaving = !settings.client() && settings.metadata();
      if (leaving) {
        requester.leave();
      }
      drain(now + drainNanos);
    } else if (state == State.DRAINING && !disconnecting && now + drainNanos - drainUntil < 0) {
      deadlines.remove(drainDeadline);
      drainUntil = now + drainNanos;
      deadlines.add(drainDeadline, drainUntil);
    }
  }

  private void drain(long until) {
    state = State.DRAINING;
    drainUntil = until;
    deadlines.add(drainDeadline, until);
    if (responder.idle()) {
      requester.drain();
    }
    checkDrained();
  }

  private void checkDrained() {
    if (state == State.DRAINING && !leaving && isIdle()) {
      disconnect("Closed");
    }
  }

  private boolean isIdle() {
    return requester.idle() && responder.idle() && outbox.isDone();
  }

  private void disconnect(String reason) {
    if (!disconnecting && state != State.LOST) {
      disconnecting = true;
      fabric.disconnect(reason);
    }
  }

  // Events

  /**
   * The connection is up.
   *
   * @param agreed what holds for it
   * @param now the time
   */
  public void established(ConnectionSettings agreed, long now) {
    if (state != State.NEW) {
      throw new IllegalStateException("Established in state " + state);
    }
    if (disconnecting) {
      return;
    }
    settings = agreed;
    state = State.OPEN;
    reads.open(agreed.outboundReads());
    outbox.open(agreed.sendSlots());
    keepAlive.start(now);
    requester.pump();
  }

  /**
   * The peer has said that it cannot pull replies, though it had shown that it would: none is provided from now on.
   */
  public void peerCannotPull() {
    settings = settings.withoutProviding();
  }

  /**
   * A message has come.
   *
   * @param message from index 0 to its limit; used only during this call, its position is not kept
   * @param invalidated the tag of ours that the peer's Send has invalidated, if any
   * @param now the time
   */
  public void received(ByteBuffer message, OptionalInt invalidated, long now) {
    if (state == State.LOST || disconnecting) {
      return;
    }
    keepAlive.message(now);
    router.received(message, invalidated, now);
  }

  /**
   * A Send, Write or Read has completed. In posting order, except that Reads may be apart.
   *
   * @param id as it was posted
   * @param success false if it failed or was flushed
   * @param now the time
   */
  public void sendQueueCompleted(long id, boolean success, long now) {
    if ((id & ReadQueue.READ_ID) != 0) {
      if (success) {
        keepAlive.heard(now);
      }
      reads.completed(id, success, now);
    } else {
      outbox.completed(id, success, now);
      checkDrained();
    }
  }

  /**
   * The connection has ended; all posted work has completed before.
   *
   * @param reason for the callers of what was in flight
   * @param refused the tag of the peer's that its device has refused an operation of ours on, if it says so
   * @param now the time
   */
  public void disconnected(String reason, OptionalInt refused, long now) {
    if (state == State.LOST) {
      return;
    }
    state = State.LOST;
    deadlines.remove(drainDeadline);
    keepAlive.stop();
    // Exposures first: calls may then tell their callers at once.
    exposures.abandon();
    outbox.abandon(now);
    reads.abandon(now);
    requester.abandon(reason);
    responder.abandon(refused);
  }

  /** Leads what the requester has taken for its own to the responder. */
  private final class PeersCalls implements LongCalls {

    @Override
    public void take(int xid, ChunkLists lists, Pull pull, long now) {
      responder.pulledCall(xid, lists, pull, now);
    }

    @Override
    public void refuse(int xid) {
      responder.fault(xid, RawHeader.VERSION, Fault.UNREASONABLE_CHUNKS);
      responder.decided(xid);
    }

    @Override
    public void none(int xid) {
      responder.decided(xid);
    }
  }

  /** Leads what the responder has taken for its own to the requester. */
  private final class Strays implements StrayReplies {

    @Override
    public boolean arrived(int xid, OptionalInt handle) {
      return requester.strayReply(xid, handle);
    }

    @Override
    public boolean isUndecided(int xid) {
      return requester.isUndecided(xid);
    }
  }

  /** The face that requester and responder see. */
  private final class Core implements ConnectionCore {

    @Override
    public ConnectionSettings settings() {
      return settings;
    }

    @Override
    public Memory memory() {
      return memory;
    }

    @Override
    public Outbox outbox() {
      return outbox;
    }

    @Override
    public ReadQueue reads() {
      return reads;
    }

    @Override
    public Exposures exposures() {
      return exposures;
    }

    @Override
    public Deadlines deadlines() {
      return deadlines;
    }

    @Override
    public Counters counters() {
      return counters;
    }

    @Override
    public InboundMetadata metadata() {
      return metadata;
    }

    @Override
    public SecureChannel channel() {
      return channel;
    }

    @Override
    public long now() {
      return port.now();
    }

    @Override
    public boolean open() {
      return (state == State.OPEN || state == State.DRAINING) && !fenced;
    }

    @Override
    public void fail(String reason) {
      disconnect(reason);
    }

    @Override
    public void checkDrained() {
      ConnectionMachine.this.checkDrained();
    }

    @Override
    public void peerLeaves() {
      if (state == State.OPEN) {
        listener.peerLeaves();
        // The peer sets the limit.
        drain(port.now() + NO_LIMIT);
      }
    }
  }
}
