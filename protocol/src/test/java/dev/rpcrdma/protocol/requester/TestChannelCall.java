// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.requester;

import dev.rpcrdma.protocol.oncrpc.Credential;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.security.CallProtector;
import dev.rpcrdma.protocol.session.ChannelCall;
import dev.rpcrdma.protocol.xdr.PayloadStream;
import dev.rpcrdma.protocol.xdr.XdrReader;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** A call that a test gives to a channel. A test may also be in place of the channel's connections. */
public final class TestChannelCall extends ChannelCall {

  private final Said said;
  private final CallListener listener;
  /** Hears that the call is given up, if a test is in place of its connection. */
  private Consumer<TestChannelCall> givenUp;
  private boolean sent;
  private boolean ofPeer;
  private CallProtector protector;

  public TestChannelCall(Said said, CallListener listener) {
    this.said = said;
    this.listener = listener;
  }

  /** Has each transmission protected. */
  public TestChannelCall protectedBy(CallProtector by) {
    protector = by;
    return this;
  }

  /** Binds the call to its peer. */
  public TestChannelCall ofPeer() {
    ofPeer = true;
    return this;
  }

  // What it says

  @Override
  protected boolean belongsToPeer() {
    return ofPeer;
  }

  @Override
  protected Optional<CallProtector> protector() {
    return Optional.ofNullable(protector);
  }

  @Override
  public int program() {
    return said.program();
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
  protected Credential credential() {
    return said.credential();
  }

  @Override
  protected PayloadStream arguments() {
    return said.arguments();
  }

  @Override
  protected List<Said.Room> placedResults() {
    return said.results();
  }

  @Override
  protected int maxResults() {
    return said.maxResults();
  }

  @Override
  protected int typicalResults() {
    return said.typicalResults();
  }

  // What it hears

  @Override
  protected void replied(XdrReader results) {
    listener.replied(results);
  }

  @Override
  protected void rejected(ReplyHeader header) {
    listener.rejected(header);
  }

  @Override
  protected void failed(CallFailure failure) {
    listener.failed(failure);
  }

  // In place of a connection

  /**
   * Is sent at once, with the XID that it has.
   *
   * @param whenGivenUp hears that it is given up; null if it cannot be given up any more
   */
  public int send(XidSlots slots, Consumer<TestChannelCall> whenGivenUp) {
    OutboundCall call = this;
    call.takeXid(slots);
    givenUp = whenGivenUp;
    sent = true;
    return call.xid();
  }

  /** Whether it was sent before. */
  public boolean again() {
    return sent;
  }

  /** Its reply has come. */
  public void reply(XdrReader results) {
    over();
    onReply(results);
  }

  /** A rejection has come. */
  public void reject() {
    over();
    onRejection(null);
  }

  /** There will be no reply. */
  public void fail(CallFailure.Kind kind) {
    over();
    onFailure(new CallFailure(kind, "", kind == CallFailure.Kind.CANCELLED));
  }

  private void over() {
    givenUp = null;
    endXid();
  }

  /** The connection has ended. */
  public void lose(boolean maybeExecuted) {
    givenUp = null;
    onFailure(new CallFailure(CallFailure.Kind.CONNECTION_LOST, "cut", maybeExecuted));
  }

  @Override
  public void cancel(long now) {
    if (givenUp == null) {
      super.cancel(now);
    } else {
      givenUp.accept(this);
    }
  }
}
