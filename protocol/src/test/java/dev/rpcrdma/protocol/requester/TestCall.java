// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.requester;

import dev.rpcrdma.protocol.fabric.ConnectionCore;
import dev.rpcrdma.protocol.fabric.TestSettings;
import dev.rpcrdma.protocol.oncrpc.AuthStatus;
import dev.rpcrdma.protocol.oncrpc.Credential;
import dev.rpcrdma.protocol.security.CallProtector;
import dev.rpcrdma.protocol.xdr.PayloadStream;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;

/** A call that a test makes over a connection or a channel. */
public final class TestCall implements Call, CallHead {

  /** That of a connection of which nobody asks anything but its settings. */
  private static final Requester GONE = new Requester((ConnectionCore) Proxy.newProxyInstance(
      TestCall.class.getClassLoader(), new Class<?>[] {ConnectionCore.class},
      (core, method, arguments) -> TestSettings.of(true).build()), null, new XidSlots(0, 0), null);

  private final Said said;
  private final CallListener listener;
  private final OutboundCall carried;
  private byte[] metadata = {};
  private CallProtector protector;
  private CallProtector whenRefused;
  private boolean ahead;

  public TestCall(Said said, CallListener listener) {
    this.said = said;
    this.listener = listener;
    this.carried = listener.sendsAgain() ? OutboundCall.lasting(this) : new OutboundCall(this);
  }

  /** What a connection gets. */
  public OutboundCall carried() {
    return carried;
  }

  /** Gives it up, if a connection has it. */
  public void cancel(long now) {
    carried.cancel(now);
  }

  /** Another connection, which is gone, has taken it on before. */
  public TestCall again() {
    carried.takeOn(GONE, 0);
    return this;
  }

  /** Another connection has sent it before; its XID is the next one. */
  public TestCall sentBefore(XidSlots slots) {
    carried.takeXid(slots);
    return again();
  }

  /** Has each transmission protected. */
  public TestCall protectedBy(CallProtector by) {
    protector = by;
    return this;
  }

  /** Protects the call from the first refusal of its credential on. */
  public TestCall protectedWhenRefused(CallProtector by) {
    whenRefused = by;
    return this;
  }

  /** Goes ahead of other calls, which need it. */
  public TestCall ahead() {
    ahead = true;
    return this;
  }

  /** Has metadata go with it. */
  public TestCall metadata(byte[] tags) {
    metadata = tags;
    return this;
  }

  // What it says

  @Override
  public CallHead head() {
    return this;
  }

  @Override
  public byte[] metadata() {
    return metadata;
  }

  @Override
  public int program() {
    return said.program();
  }

  @Override
  public boolean goesAhead() {
    return ahead;
  }

  @Override
  public int version() {
    return 1;
  }

  @Override
  public int procedure() {
    return said.procedure();
  }

  @Override
  public Credential credential() {
    return said.credential();
  }

  @Override
  public Optional<CallProtector> protector() {
    return Optional.ofNullable(protector);
  }

  @Override
  public boolean outdated(AuthStatus status, Credential shown) {
    protector = whenRefused;
    return whenRefused != null;
  }

  @Override
  public PayloadStream arguments() {
    return said.arguments();
  }

  @Override
  public List<Said.Room> rooms() {
    return said.results();
  }

  @Override
  public ResultBounds bounds() {
    return ResultBounds.of(said.typicalResults(), said.maxResults());
  }

  // What it hears

  @Override
  public void outcome(Outcome outcome) {
    if (outcome instanceof Outcome.Reply reply) {
      serverTook(reply.serverNanos());
      listener.replied(reply.results());
    } else if (outcome instanceof Outcome.Rejected rejected) {
      serverTook(rejected.serverNanos());
      listener.rejected(rejected.header());
    } else if (outcome instanceof Outcome.Failed failure) {
      if (carried.hasXid()) {
        listener.kept(carried.xid());
      }
      listener.failed(failure);
    }
  }

  private void serverTook(long nanos) {
    if (nanos != Outcome.UNKNOWN) {
      listener.serverTook(nanos);
    }
  }
}
