// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.connection;

import dev.rpcrdma.api.RpcRejectedException;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.oncrpc.AuthStatus;
import io.vertx.core.Future;
import io.vertx.core.net.SocketAddress;
import java.time.Duration;

/** The exchange of a token for a handle, over one connection. */
public final class TokenExchange {

  private TokenExchange() {}

  /**
   * Exchanges a token.
   *
   * @param timeout how long the server may take
   * @return the handle; fails with what a rejection means
   */
  public static Future<ControlProgram.Handle> over(RpcConnectionImpl connection, String token, Duration timeout) {
    return connection.make(ControlProgram.exchange(token, timeout))
        .recover(e -> Future.failedFuture(refused(e, connection.remoteAddress())));
  }

  /** What a rejection by the control program means. */
  private static Throwable refused(Throwable cause, SocketAddress address) {
    if (!(cause instanceof RpcRejectedException rejection)) {
      return cause;
    }
    if (rejection.authStatus().isPresent()) {
      AuthStatus status = rejection.authStatus().get();
      return new RpcRejectedException(status, address + " refuses the token (" + status + ")", true);
    }
    if (rejection.acceptStatus().filter(AcceptStatus.SYSTEM_ERR::equals).isPresent()) {
      return new RpcRejectedException(AcceptStatus.SYSTEM_ERR, address
          + " could not judge the token: its verifier has failed, or has not answered within serviceTimeout", true);
    }
    return new RpcRejectedException(AcceptStatus.PROC_UNAVAIL,
        address + " takes no tokens: give it a verifier by withTokens", true);
  }
}
