// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.connection;

import dev.rpcrdma.api.RpcAccess;
import dev.rpcrdma.api.RpcUser;
import dev.rpcrdma.api.impl.security.Users;
import dev.rpcrdma.protocol.binding.ProgramTable;
import dev.rpcrdma.protocol.oncrpc.AuthStatus;
import dev.rpcrdma.protocol.oncrpc.CallHeader;
import dev.rpcrdma.protocol.security.Authenticator;
import dev.rpcrdma.protocol.security.CallSecurity;
import dev.rpcrdma.protocol.security.ControlCall;
import dev.rpcrdma.protocol.security.Verdict;
import io.vertx.core.internal.logging.Logger;
import io.vertx.core.internal.logging.LoggerFactory;
import java.nio.ByteBuffer;
import java.security.cert.Certificate;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Holds those who call against what the service wants of them, once another authenticator has said who they are: so
 * nothing is pulled for a caller that may not call. Judges on the connection's loop.
 *
 * @param others says who calls
 * @param programs what is served
 * @param certificates of the peer
 */
record AccessAuthenticator(Authenticator others, ServedPrograms programs,
    Supplier<List<Certificate>> certificates) implements Authenticator {

  private static final Logger LOG = LoggerFactory.getLogger(AccessAuthenticator.class);

  private static final Verdict TOO_WEAK = new Verdict.Refused(AuthStatus.TOOWEAK);
  private static final Verdict FAILED = new Verdict.Refused(AuthStatus.FAILED);

  @Override
  public Verdict judge(CallHeader call, ByteBuffer message, Listener later) {
    RpcAccess access = access(call);
    if (access == RpcAccess.ALL) {
      return others.judge(call, message, later);
    }
    return checked(access, call, others.judge(call, message, verdict -> later.judged(checked(access, call, verdict))));
  }

  /** What has no service is answered by who looks for one. A service that cannot say whom it takes takes nobody. */
  private RpcAccess access(CallHeader call) {
    if (!(programs.judge(call) instanceof ProgramTable.Serve<BoundService.Served> serve)) {
      return RpcAccess.ALL;
    }
    try {
      return Objects.requireNonNull(serve.service().service().access(call.procedure()), "The service said null");
    } catch (Throwable e) {
      return user -> {
        throw new IllegalStateException("Whom the service takes is not known", e);
      };
    }
  }

  /** Judges once more a call that was let in: its service may have been bound since. */
  Verdict judgeAgain(CallHeader call, CallSecurity security) {
    return checked(access(call), call, security);
  }

  private Verdict checked(RpcAccess access, CallHeader call, Verdict verdict) {
    if (!(verdict instanceof CallSecurity security) || security instanceof ControlCall) {
      return verdict;
    }
    Optional<RpcUser> user = Users.of(security, call.credential(), certificates.get());
    try {
      return access.accepts(user) ? verdict : TOO_WEAK;
    } catch (Throwable e) {
      LOG.warn("Whether " + user.map(RpcUser::name).orElse("nobody") + " may call cannot be told; the call is refused", e);
      return FAILED;
    }
  }
}
