// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

import dev.rpcrdma.protocol.oncrpc.AuthStatus;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import io.vertx.core.Future;

/**
 * Stands between the calls that come and the services that serve them: may let a call pass, refuse it, answer it, or
 * measure. Runs on the context of the service. Those that were added first hear of a call first; what one has to say
 * to those behind it, and to the service, it puts into {@link RpcCall#attributes}.
 *
 * <pre>{@code
 * RpcServer.builder(vertx).addServiceInterceptor((call, next) -> {
 *   long began = System.nanoTime();
 *   return next.handle(call).onComplete(done -> log(call, System.nanoTime() - began));
 * })
 * }</pre>
 */
@FunctionalInterface
public interface ServiceInterceptor {

  /**
   * Serves a call, or has it served.
   *
   * @param call the call; its arguments can be read once
   * @param next what is behind this one: in the end the service
   * @return as {@link RpcService#handle}; a {@link RpcStatusException} refuses the call
   */
  Future<XdrEncoder> handle(RpcCall call, RpcService next);

  /**
   * Refuses calls of users that nothing proves, AUTH_SYS among them: they are answered AUTH_TOOWEAK.
   *
   * @return an interceptor
   */
  static ServiceInterceptor requireProvenUser() {
    return require(RpcAccess.provenUsers(), "Nothing proves who makes the call");
  }

  /**
   * Refuses calls that Kerberos does not protect so far: they are answered AUTH_TOOWEAK. A call over TLS without Kerberos
   * is one of them.
   *
   * @param least what is enough
   * @return an interceptor, for all calls; for those of a program or procedure, ask it for these alone
   */
  static ServiceInterceptor requireProtection(RpcProtection least) {
    return require(RpcAccess.protection(least), "The call has not the protection " + least);
  }

  /**
   * Refuses calls of nobody: those without a user are answered AUTH_TOOWEAK. AUTH_SYS, which proves nothing, is let in.
   *
   * @return an interceptor
   */
  static ServiceInterceptor requireUser() {
    return require(RpcAccess.users(), "The call says nothing of who makes it");
  }

  private static ServiceInterceptor require(RpcAccess access, String reason) {
    return (call, next) -> access.accepts(call.user()) ? next.handle(call)
        : Future.failedFuture(new RpcStatusException(AuthStatus.TOOWEAK, reason));
  }
}
