// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

import java.util.Optional;

/**
 * Whose calls a service takes ({@link RpcService#access}). It is asked before anything is pulled for a call but the
 * head of a Long one, and before any interceptor; a call that it does not accept is answered AUTH_TOOWEAK, and not
 * executed, nor is one for which it throws. On the event loop that the call came by, or, over the event bus, where the
 * verdict on a token has come, so that it must not block.
 */
@FunctionalInterface
public interface RpcAccess {

  /** Everybody, also who says nothing of itself. */
  RpcAccess ALL = user -> true;

  /**
   * Whether a call may be made.
   *
   * @param user who makes it; empty if the call does not say
   * @return false to refuse it
   */
  boolean accepts(Optional<RpcUser> user);

  /**
   * Whoever says who it is. AUTH_SYS is enough, which proves nothing.
   *
   * @return those with a user
   */
  static RpcAccess users() {
    return Optional::isPresent;
  }

  /**
   * Whoever proves who it is: by Kerberos, a token, or a certificate.
   *
   * @return those with a user that something proves
   */
  static RpcAccess provenUsers() {
    return user -> user.filter(known -> known.proof() != RpcUser.Proof.NONE).isPresent();
  }

  /**
   * Whoever calls by Kerberos. A call over TLS without Kerberos is none of these.
   *
   * @param least which protection its calls have at least
   * @return those with a user of Kerberos
   */
  static RpcAccess protection(RpcProtection least) {
    return user -> user.flatMap(RpcUser::protection).filter(protection -> protection.compareTo(least) >= 0).isPresent();
  }
}
