// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.connection;

import dev.rpcrdma.protocol.binding.ResultRoom;
import dev.rpcrdma.protocol.fabric.ConnectionCore;
import dev.rpcrdma.protocol.fabric.Liveness;
import dev.rpcrdma.protocol.fabric.ReadQueue;
import dev.rpcrdma.protocol.fabric.Region;
import dev.rpcrdma.protocol.fabric.RegionListener;
import dev.rpcrdma.protocol.oncrpc.Credential;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.requester.Call;
import dev.rpcrdma.protocol.requester.CallHead;
import dev.rpcrdma.protocol.requester.OutboundCall;
import dev.rpcrdma.protocol.requester.Outcome;
import dev.rpcrdma.protocol.requester.Requester;
import dev.rpcrdma.protocol.requester.ResultBounds;
import dev.rpcrdma.protocol.time.Deadlines;
import dev.rpcrdma.protocol.xdr.PayloadStream;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Finds out that a peer is gone, or deaf. Version 1 has no message for it (B-101).
 *
 * <p><b>How it asks.</b> By an RDMA Read of no bytes: the peer's device answers it without looking at
 * any tag, and without its application; it takes no credit and no Receive. A peer that serves no Reads,
 * as Linux's NFS server, is called NULL by its client, if there is a credit. A server may not do that:
 * a call in the reverse direction can cost the connection; it ends a connection over which nothing
 * has come for so long, and nothing is being served.
 *
 * <p><b>When life is not enough.</b> An end whose credits are all held by calls that were given up has no
 * use for a connection over which no message comes, even if the peer's device still serves Reads.
 */
final class KeepAlive extends Deadlines.Entry implements RegionListener, ReadQueue.Listener {

  /** Nobody serves it, and that is an answer too. */
  static final int PROGRAM = 0x2006F001;

  private static final ResultBounds NO_RESULTS = ResultBounds.of(0, 0);

  private final ConnectionCore core;
  private final Requester requester;
  private final BooleanSupplier idle;
  private Region sink;
  /** The Read, or the memory for it, is on its way. */
  private boolean reading;
  private long lastHeard;
  private long lastMessage;
  private long progress;
  private boolean asked;
  private boolean answered;

  /**
   * Creates it.
   *
   * @param idle whether nothing is under way that the peer may be waiting for
   */
  KeepAlive(ConnectionCore core, Requester requester, BooleanSupplier idle) {
    this.core = core;
    this.requester = requester;
    this.idle = idle;
  }

  void start(long now) {
    lastHeard = now;
    lastMessage = now;
    if (liveness() != Liveness.UNLIMITED) {
      core.deadlines().add(this, now + liveness().idleNanos());
    }
  }

  private Liveness liveness() {
    return core.settings().liveness();
  }

  /** A message has come. */
  void message(long now) {
    lastMessage = now;
    heard(now);
  }

  /** A message has come, or the peer's device has served a Read. */
  void heard(long now) {
    lastHeard = now;
    answered = true;
  }

  @Override
  protected void expired(long now) {
    long reached = core.reads().progress();
    if (reached != progress && core.reads().underWay()) {
      // A Read that is large, or slow, may keep the one that asks from being served.
      heard(now);
    }
    progress = reached;
    if (asked && !answered && !memoryIsLate()) {
      core.fail("The peer has given no sign of life");
      return;
    }
    if (requester.stuck() && (core.settings().client() || requester.callsWait())
        && now - lastMessage >= liveness().idleNanos() + liveness().answerNanos()) {
      core.fail("All credits are held by calls that were given up, and no late reply to them has come; the peer may"
          + " still execute them");
      return;
    }
    if (asked) {
      asked = false;
      lastHeard = Math.max(lastHeard, now - liveness().answerNanos());
    }
    if (now - lastHeard < liveness().idleNanos()) {
      core.deadlines().add(this, lastHeard + liveness().idleNanos());
      return;
    }
    answered = false;
    if (core.settings().outboundReads() > 0) {
      asked = true;
      read();
    } else if (core.settings().client() && requester.hasCredit()) {
      asked = true;
      requester.call(new OutboundCall(new NullCall()), now + liveness().answerNanos());
    } else if (!core.settings().client()) {
      silent(now);
      return;
    }
    core.deadlines().add(this, now + liveness().answerNanos());
  }

  /** A server that can ask nothing of a silent client: with one more time to answer it is gone. */
  private void silent(long now) {
    if (now - lastHeard >= liveness().idleNanos() + liveness().answerNanos() && idle.getAsBoolean()) {
      core.fail("The client is silent, and serves no Read by which it could show that it is there");
    } else {
      core.deadlines().add(this, now + liveness().answerNanos());
    }
  }

  void stop() {
    core.deadlines().remove(this);
  }

  /** It was to be asked, and was not yet: that is no fault of the peer's. */
  private boolean memoryIsLate() {
    return reading && sink == null;
  }

  /** One at a time: a peer that sends may still be slow to serve Reads, and the last one asks on. */
  private void read() {
    if (!reading) {
      reading = true;
      core.memory().allocate(1, this);
    }
  }

  // The Read of nothing, into a byte of memory that it leaves as it is

  @Override
  public void ready(Region region) {
    if (!core.open()) {
      region.free();
      return;
    }
    sink = region;
    core.reads().submit(region, 0, 0, 0, 0, this);
  }

  @Override
  public void failed(String reason) {
    reading = false;
    // Want of memory is no fault of the peer's.
    answered = true;
  }

  @Override
  public void readDone(boolean success, long now) {
    // Success has been heard already, as that of any other Read.
    reading = false;
    sink.free();
    sink = null;
  }

  /** Any answer to it is a sign of life. */
  private final class NullCall implements Call, CallHead {

    @Override
    public CallHead head() {
      return this;
    }

    @Override
    public int program() {
      return PROGRAM;
    }

    @Override
    public int version() {
      return 1;
    }

    @Override
    public int procedure() {
      return 0;
    }

    @Override
    public Credential credential() {
      return OpaqueAuth.NONE;
    }

    @Override
    public PayloadStream arguments() {
      return PayloadStream.EMPTY;
    }

    @Override
    public List<ResultRoom> rooms() {
      return List.of();
    }

    @Override
    public ResultBounds bounds() {
      return NO_RESULTS;
    }

    @Override
    public void outcome(Outcome outcome) {
      // An error is an answer; anything else is what the next deadline will tell.
      answered |= !(outcome instanceof Outcome.Failed failure) || failure.kind() == Outcome.Kind.REMOTE_ERROR;
    }
  }
}
