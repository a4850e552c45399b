// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.gss;

import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.oncrpc.CallHeader;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.security.ControlCall;
import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.protocol.xdr.XdrReader;

/** A call that makes a context (RFC 2203 §5.2.2): its argument is a token, and so is its result. */
final class Creation implements ControlCall {

  /** Does what a token asks for. */
  interface Work {

    /**
     * Takes the token; it may take long.
     *
     * @param token of the client
     * @param then gets the answer, and its verifier; on any thread
     */
    void take(byte[] token, Answer then);
  }

  /** Hears what follows. */
  interface Answer {

    void give(GssInitResult result, OpaqueAuth verifier);
  }

  private final Work work;
  /** Set before the reply is given. */
  private volatile OpaqueAuth verifier = OpaqueAuth.NONE;

  Creation(Work work) {
    this.work = work;
  }

  @Override
  public void serve(Exchange call) {
    byte[] token;
    try {
      XdrReader arguments = call.arguments();
      token = arguments.opaque(GssInitResult.MAX_TOKEN);
      arguments.end();
    } catch (XdrException e) {
      call.fail(AcceptStatus.GARBAGE_ARGS);
      return;
    }
    work.take(token, (result, proof) -> {
      verifier = proof;
      call.reply(result::encode);
    });
  }

  @Override
  public Object principal(CallHeader call) {
    return call.credential();
  }

  @Override
  public int verifierLength() {
    return verifier.encodedLength();
  }

  @Override
  public OpaqueAuth verifier() {
    return verifier;
  }
}
