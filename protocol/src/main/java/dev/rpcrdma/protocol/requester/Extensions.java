// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.requester;

import dev.rpcrdma.protocol.fabric.ConnectionCore;
import dev.rpcrdma.protocol.message.ExtensionTransmission;
import dev.rpcrdma.protocol.requester.Outcome.Kind;
import dev.rpcrdma.protocol.time.Deadlines;
import dev.rpcrdma.protocol.wire.RawHeader;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * Messages of OPTIONAL header types: the convention by which a requester finds out what its peer knows.
 *
 * <p>The first message of a type is the probe. While one is out no other type is tried, and no
 * more of its own go. An answer shows that the type is known; ERR_CHUNK that it is not, and
 * then it is never sent again on this connection. What was found out ends with the connection
 * as this object does.
 *
 * <p>Each message takes a credit until it is answered, as a call does, since it takes a Receive of the
 * peer.
 */
public final class Extensions {

  /** One message and what is known of it. */
  private final class Exchange implements Outstanding {

    private final int procedure;
    private final byte[] body;
    private final ExtensionListener listener;
    private final Deadlines.Entry timer = new Deadlines.Entry() {
      @Override
      protected void expired(long now) {
        Exchange.this.expired();
      }
    };
    private boolean owed = true;
    /** It has left, so that it can be answered. */
    private boolean sent;
    private int xid;

    Exchange(int procedure, byte[] body, ExtensionListener listener) {
      this.procedure = procedure;
      this.body = body;
      this.listener = listener;
    }

    @Override
    public int xid() {
      return xid;
    }

    @Override
    public boolean owed() {
      return owed;
    }

    private void expired() {
      waiting.remove(this);
      end();
      fail(Kind.TIMEOUT, "No answer within the message's timeout");
      // Whether the type is known stays open: the next one probes again.
      requester.pump();
      core.checkDrained();
    }

    void fail(Kind kind, String message) {
      owed = false;
      listener.failed(new Outcome.Failed(kind, message, sent));
    }

    /** It holds nobody up any more. */
    void end() {
      core.deadlines().remove(timer);
      if (probe == this) {
        probe = null;
      }
    }
  }

  private final ConnectionCore core;
  private final Requester requester;
  /** By procedure: true for what the peer knows, false for what it does not. */
  private final Map<Integer, Boolean> known = new HashMap<>();
  private final ArrayDeque<Exchange> waiting = new ArrayDeque<>();
  private final Credits credits;
  private final InFlight inFlight;
  private Exchange probe;

  Extensions(ConnectionCore core, Requester requester, Credits credits) {
    this.core = core;
    this.credits = credits;
    this.inFlight = credits.inFlight();
    this.requester = requester;
  }

  boolean waiting() {
    return !waiting.isEmpty();
  }

  private Exchange sent(int xid) {
    return inFlight.get(xid) instanceof Exchange exchange && exchange.sent ? exchange : null;
  }

  public void send(int procedure, byte[] body, ExtensionListener listener, long deadline) {
    Exchange exchange = new Exchange(procedure, body, listener);
    if (core.open() && hopeless(exchange)) {
      // It would not take a credit, so it waits for none.
      refuse(exchange);
      return;
    }
    if (waiting.size() >= core.settings().maxQueuedCalls()) {
      exchange.fail(Kind.RESOURCES, "More than " + core.settings().maxQueuedCalls()
          + " messages wait for a credit");
      return;
    }
    core.deadlines().add(exchange.timer, deadline);
    waiting.add(exchange);
    requester.pump();
  }

  /** Sends what credits, and what is known, allow. */
  void pump() {
    if (waiting.isEmpty()) {
      return;
    }
    Iterator<Exchange> all = waiting.iterator();
    List<Exchange> refused = new ArrayList<>();
    while (all.hasNext() && credits.available() && credits.slots().available() > 0) {
      Exchange exchange = all.next();
      Boolean supported = known.get(exchange.procedure);
      if (hopeless(exchange)) {
        all.remove();
        refused.add(exchange);
      } else if (supported != null || probe == null) {
        all.remove();
        start(exchange, supported == null);
      }
    }
    refused.forEach(this::refuse);
  }

  /** Whether the peer does not know the type, or cannot receive the message. */
  private boolean hopeless(Exchange exchange) {
    return Boolean.FALSE.equals(known.get(exchange.procedure))
        || !ExtensionTransmission.fits(exchange.body, core.settings());
  }

  private void start(Exchange exchange, boolean first) {
    if (first) {
      probe = exchange;
    }
    int xid = credits.slots().take();
    exchange.xid = xid;
    inFlight.put(exchange);
    core.outbox().submit(new ExtensionTransmission(xid, core.settings().creditsRequested(),
        exchange.procedure, exchange.body) {
      @Override
      public int encode(ByteBuffer target) {
        exchange.sent = true;
        return super.encode(target);
      }
    });
  }

  private void refuse(Exchange exchange) {
    exchange.end();
    if (Boolean.FALSE.equals(known.get(exchange.procedure))) {
      exchange.owed = false;
      exchange.listener.unsupported();
    } else {
      exchange.fail(Kind.RESOURCES, "Its body of " + exchange.body.length + " bytes is longer than the "
          + core.settings().outboundExtension() + " that the peer's Receives take");
    }
  }

  /**
   * A message of some type has come.
   *
   * @return false if it is no answer to one of ours
   */
  boolean answered(int xid, int procedure, ByteBuffer body) {
    Exchange exchange = sent(xid);
    if (exchange == null || exchange.procedure != procedure) {
      return false;
    }
    over(exchange);
    known.put(procedure, true);
    exchange.end();
    if (exchange.owed) {
      exchange.owed = false;
      exchange.listener.answered(body);
    }
    return true;
  }

  /**
   * An RDMA_ERROR has come.
   *
   * @return false if it is not for one of ours
   */
  boolean refused(int xid, int error) {
    Exchange exchange = sent(xid);
    if (exchange == null) {
      return false;
    }
    over(exchange);
    exchange.end();
    // once a type is known to be understood, the same error speaks of this message alone.
    boolean unknown = error == RawHeader.ERR_CHUNK && !known.containsKey(exchange.procedure);
    if (unknown) {
      known.put(exchange.procedure, false);
    }
    if (exchange.owed && unknown) {
      exchange.owed = false;
      exchange.listener.unsupported();
    } else if (exchange.owed) {
      exchange.fail(Kind.REMOTE_ERROR, "The peer could not process the message");
    }
    return true;
  }

  private void over(Exchange exchange) {
    inFlight.remove(exchange);
    credits.slots().free(exchange.xid);
  }

  /** Nothing new goes out. */
  void drain() {
    endWaiting(Kind.CLOSED, "The connection is being closed");
  }

  /** The connection is lost. */
  void abandon(String reason) {
    endWaiting(Kind.CONNECTION_LOST, reason);
    for (Exchange exchange : inFlight.removeAll(Exchange.class)) {
      credits.slots().free(exchange.xid);
      exchange.end();
      if (exchange.owed) {
        exchange.fail(Kind.CONNECTION_LOST, reason);
      }
    }
  }

  private void endWaiting(Kind kind, String reason) {
    List<Exchange> all = new ArrayList<>(waiting);
    waiting.clear();
    for (Exchange exchange : all) {
      exchange.end();
      exchange.fail(kind, reason);
    }
  }
}
