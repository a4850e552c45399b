// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.requester;

import dev.rpcrdma.protocol.oncrpc.AuthStatus;
import dev.rpcrdma.protocol.oncrpc.Credential;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.security.CallProtector;
import dev.rpcrdma.protocol.xdr.PayloadStream;
import dev.rpcrdma.protocol.xdr.XdrReader;
import java.util.List;
import java.util.Optional;

/** A call that a test gives to a connection. */
public final class TestCall extends OutboundCall {

  private final Said said;
  private final CallListener listener;
  private boolean again;
  private byte[] metadata = {};
  private CallProtector protector;
  private CallProtector whenRefused;
  private boolean ahead;

  public TestCall(Said said, CallListener listener) {
    this.said = said;
    this.listener = listener;
  }

  /** Another connection has taken it on before. */
  public TestCall again() {
    again = true;
    return this;
  }

  /** Another connection has sent it before; its XID is the next one. */
  public TestCall sentBefore(XidSlots slots) {
    takeXid(slots);
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
  protected byte[] metadata() {
    return metadata;
  }

  @Override
  public int program() {
    return said.program();
  }

  @Override
  protected boolean goesAhead() {
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
  protected Credential credential() {
    return said.credential();
  }

  @Override
  protected Optional<CallProtector> protector() {
    return Optional.ofNullable(protector);
  }

  @Override
  protected boolean outdated(AuthStatus status) {
    protector = whenRefused;
    return whenRefused != null;
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
  protected void onReply(XdrReader results) {
    listener.replied(results);
  }

  @Override
  protected void onServerTime(long nanos) {
    listener.serverTook(nanos);
  }

  @Override
  protected void onRejection(ReplyHeader header) {
    listener.rejected(header);
  }

  @Override
  protected void onFailure(CallFailure failure) {
    if (hasXid()) {
      listener.kept(xid());
    }
    listener.failed(failure);
  }

  @Override
  protected boolean outlivesConnection() {
    return listener.sendsAgain();
  }

  @Override
  boolean takenOn() {
    return again || super.takenOn();
  }
}
