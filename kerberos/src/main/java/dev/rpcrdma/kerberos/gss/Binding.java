// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.gss;

import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.oncrpc.CallHeader;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.security.ControlCall;

/**
 * A call that binds a context to the channel that it comes over (RFC 5403 §3.3); what comes of it is in the verifier of
 * its reply.
 *
 * @param verifier of the reply
 * @param effect what is done
 */
record Binding(OpaqueAuth verifier, Runnable effect) implements ControlCall {

  @Override
  public void serve(Exchange call) {
    effect.run();
    call.fail(AcceptStatus.SUCCESS);
  }

  /** Nobody: one that is refused has no proof, and must not be given the reply to a call that was there before. */
  @Override
  public Object principal(CallHeader call) {
    return new Object();
  }

  @Override
  public int verifierLength() {
    return verifier.encodedLength();
  }
}
