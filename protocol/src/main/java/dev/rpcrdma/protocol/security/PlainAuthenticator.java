// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.security;

import dev.rpcrdma.protocol.oncrpc.AuthFlavor;
import dev.rpcrdma.protocol.oncrpc.AuthStatus;
import dev.rpcrdma.protocol.oncrpc.AuthSys;
import dev.rpcrdma.protocol.oncrpc.CallHeader;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.xdr.XdrException;
import java.nio.ByteBuffer;
import java.util.List;

/** The flavors by which a caller says who it is, and proves nothing; its replies prove nothing either. */
final class PlainAuthenticator implements Authenticator {

  private static final Verdict BAD_CREDENTIAL = new Verdict.Refused(AuthStatus.BADCRED);
  private static final Verdict REJECTED = new Verdict.Refused(AuthStatus.REJECTEDCRED);
  private static final CallSecurity SYS = new UnprotectedCall() {
    /** Without what is another with each transmission, such as the stamp. */
    @Override
    public Object principal(CallHeader call) {
      AuthSys user = AuthSys.from(call.credential());
      return List.of(user.uid(), user.gid(), user.gids());
    }
  };

  @Override
  public Verdict judge(CallHeader call, ByteBuffer message, Listener later) {
    return switch (call.credential().flavor()) {
      case AuthFlavor.NONE -> CallSecurity.NONE;
      case AuthFlavor.SYS -> sys(call.credential());
      default -> REJECTED;
    };
  }

  private static Verdict sys(OpaqueAuth credential) {
    try {
      AuthSys.from(credential);
      return SYS;
    } catch (XdrException e) {
      // B-108: a bad credential is answered, and the connection stays.
      return BAD_CREDENTIAL;
    }
  }
}
