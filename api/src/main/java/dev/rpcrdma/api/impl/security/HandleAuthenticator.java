// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.security;

import dev.rpcrdma.api.RpcUser;
import dev.rpcrdma.protocol.oncrpc.AuthStatus;
import dev.rpcrdma.protocol.oncrpc.CallHeader;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.security.Authenticator;
import dev.rpcrdma.protocol.security.UnprotectedCall;
import dev.rpcrdma.protocol.security.Verdict;
import java.nio.ByteBuffer;

/**
 * Judges calls with handles, by their heads alone, and leaves others to another authenticator.
 *
 * @param handles those of the client
 * @param others judges calls of other flavors
 */
public record HandleAuthenticator(TokenHandles handles, Authenticator others) implements Authenticator {

  private static final Verdict UNKNOWN = new Verdict.Refused(AuthStatus.REJECTEDCRED);
  private static final Verdict BAD_VERIFIER = new Verdict.Refused(AuthStatus.BADVERF);

  @Override
  public Verdict judge(CallHeader call, ByteBuffer message, Listener later) {
    if (call.credential().flavor() != TokenHandles.FLAVOR) {
      return others.judge(call, message, later);
    }
    if (!call.verifier().equals(OpaqueAuth.NONE)) {
      return BAD_VERIFIER;
    }
    RpcUser user = handles.user(call.credential(), System.nanoTime());
    return user == null ? UNKNOWN : new Known(user);
  }

  /**
   * A call of a user.
   *
   * @param user who it is
   */
  public record Known(RpcUser user) implements UnprotectedCall {

    /** The user, whatever handle it has this time. */
    @Override
    public Object principal(CallHeader call) {
      return user.name();
    }
  }
}
