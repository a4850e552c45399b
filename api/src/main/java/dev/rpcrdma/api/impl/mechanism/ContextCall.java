// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.mechanism;

import dev.rpcrdma.protocol.binding.ResultRoom;
import dev.rpcrdma.protocol.oncrpc.Credential;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.requester.Call;
import dev.rpcrdma.protocol.requester.CallHead;
import dev.rpcrdma.protocol.requester.Outcome;
import dev.rpcrdma.protocol.requester.ResultBounds;
import dev.rpcrdma.protocol.xdr.PayloadStream;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A call of a program's null procedure that makes a security context, binds it, or ends it (RFC 2203 §5.2.2, §5.4,
 * RFC 5403 §3.3).
 */
public final class ContextCall implements Call, CallHead {

  /** Tokens of those who are called are short: they prove who answers, and have no ticket. */
  private static final int MAX_RESULTS = 16 * 1024;
  private static final int TYPICAL_RESULTS = 512;
  private static final int NULL_PROCEDURE = 0;

  /** Hears how it ends; on the connection's loop. */
  public interface Listener {

    /**
     * The peer has answered.
     *
     * @param results to be read at once
     * @throws XdrException if they are not what they should be
     */
    void answered(XdrReader results, OpaqueAuth verifier);

    /** There is no answer. */
    void failed(Outcome.Failed failure);

    /** The peer refuses it. */
    void refused(ReplyHeader header);
  }

  private final int program;
  private final int version;
  private final Credential credential;
  private final PayloadStream arguments;
  private final Listener listener;
  private final ResultBounds bounds;
  private OpaqueAuth verifier = OpaqueAuth.NONE;

  private ContextCall(int program, int version, Credential credential, XdrEncoder arguments, int maxResults,
      Listener listener) {
    XdrWriter writer = new XdrWriter();
    arguments.encode(writer);
    this.program = program;
    this.version = version;
    this.credential = credential;
    this.arguments = writer.toPayloadStream();
    this.bounds = ResultBounds.of(Math.min(maxResults, TYPICAL_RESULTS), maxResults);
    this.listener = listener;
  }

  /** With a token. */
  public static ContextCall creation(int program, int version, Credential credential, byte[] token, Listener listener) {
    return new ContextCall(program, version, credential, writer -> writer.opaque(token), MAX_RESULTS, listener);
  }

  /** Of a context that is bound to the connection it goes over. */
  public static ContextCall binding(int program, int version, Credential credential, Listener listener) {
    return new ContextCall(program, version, credential, XdrEncoder.VOID, 0, listener);
  }

  /** Of a context that is used no more; nobody waits for an answer. */
  public static ContextCall destruction(int program, int version, Credential credential) {
    return new ContextCall(program, version, credential, XdrEncoder.VOID, 0, null);
  }

  @Override
  public CallHead head() {
    return this;
  }

  /** Calls that wait need the context. */
  @Override
  public boolean goesAhead() {
    return true;
  }

  @Override
  public int program() {
    return program;
  }

  @Override
  public int version() {
    return version;
  }

  @Override
  public int procedure() {
    return NULL_PROCEDURE;
  }

  /** Remembers by what the reply proves that the peer has made it; whether it does, only the context can say. */
  @Override
  public Credential credential() {
    return listener == null ? credential : new Credential() {
      @Override
      public int lengthInCall() {
        return credential.lengthInCall();
      }

      @Override
      public void writeInCall(ByteBuffer target, int start) {
        credential.writeInCall(target, start);
      }

      @Override
      public boolean verifies(OpaqueAuth shown) {
        verifier = shown;
        return true;
      }
    };
  }

  @Override
  public PayloadStream arguments() {
    return arguments;
  }

  @Override
  public List<? extends ResultRoom> rooms() {
    return List.of();
  }

  @Override
  public ResultBounds bounds() {
    return bounds;
  }

  /** Tells how it ends; connections that cannot make the call at all call this, too. */
  @Override
  public void outcome(Outcome outcome) {
    if (listener == null) {
      return;
    }
    if (outcome instanceof Outcome.Reply reply) {
      replied(reply.results());
    } else if (outcome instanceof Outcome.Rejected rejected) {
      listener.refused(rejected.header());
    } else if (outcome instanceof Outcome.Failed failure) {
      listener.failed(failure);
    }
  }

  private void replied(XdrReader results) {
    try {
      listener.answered(results, verifier);
    } catch (XdrException e) {
      listener.failed(new Outcome.Failed(Outcome.Kind.BAD_REPLY, "The peer's answer cannot be decoded: "
          + e.getMessage(), true));
    }
  }
}
