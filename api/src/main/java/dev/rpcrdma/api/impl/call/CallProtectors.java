// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.call;

import dev.rpcrdma.protocol.oncrpc.AuthStatus;
import dev.rpcrdma.protocol.oncrpc.Credential;
import dev.rpcrdma.protocol.security.CallProtector;

/** What protects the calls to one peer. From any thread. */
@FunctionalInterface
public interface CallProtectors {

  /**
   * What protects calls of a program: a context is made by calls of its null procedure, which any peer that serves it
   * answers.
   *
   * @param program its number
   * @param version its version
   * @return null if such a call needs none now, and has a credential that proves who makes it
   */
  CallProtector of(int program, int version);

  /**
   * Whether a refusal of a call that nothing protects says that its credential is not known any more: from now on there
   * is something that gets another one. On the loop of the channel.
   *
   * @param status why the server has not executed the call
   * @param shown the credential of the call as it was sent last
   */
  default boolean outdated(AuthStatus status, Credential shown) {
    return false;
  }
}
