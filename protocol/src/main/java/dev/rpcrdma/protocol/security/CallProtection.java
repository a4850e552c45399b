// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.security;

import dev.rpcrdma.protocol.oncrpc.AuthStatus;
import dev.rpcrdma.protocol.oncrpc.Credential;
import java.util.Optional;

/** Protection of one transmission of a call by its caller: of the next one there is another. */
public interface CallProtection extends Credential {

  /**
   * How arguments and results are protected.
   *
   * @return empty if just the head is
   */
  Optional<BodyProtection> bodies();

  /**
   * How long the verifier of a reply is.
   *
   * @return bytes with flavor and length
   */
  int verifierLength();

  /**
   * Whether a refusal says that the server does not know, or no longer takes, what the call was protected by: it can be
   * protected anew and sent again, which is worth trying once. Nobody is protected by it from now on.
   *
   * @param status why the server has not executed the call
   * @return false if another attempt would fare no better
   */
  boolean outdated(AuthStatus status);

  /** Nobody waits for a reply any more, whether or not there was one. To be called once at least; on any thread. */
  void ended();
}
