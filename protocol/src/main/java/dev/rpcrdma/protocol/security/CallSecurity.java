// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.security;

import dev.rpcrdma.protocol.oncrpc.CallHeader;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import java.util.Optional;

/**
 * The verdict on a call that is let in: who makes it, and how replies to it are protected. Its methods are called on
 * the connection's thread, or, for a large reply, on another one.
 */
public non-sealed interface CallSecurity extends Verdict {

  /** Of a call that says nothing of who makes it. */
  CallSecurity NONE = new AnonymousCall();

  /**
   * Who makes the call. Two calls of one principal may be the same call, come again; two of different ones are
   * not.
   *
   * @param call the head of the call
   * @return equal for the same principal
   */
  Object principal(CallHeader call);

  /**
   * How long the verifier of a reply is.
   *
   * @return bytes with flavor and length, the same for each transmission
   */
  int verifierLength();

  /**
   * What proves that this end has made a reply; asked for at each transmission, also of a reply that is given
   * again.
   *
   * @return the verifier
   */
  OpaqueAuth verifier();

  /**
   * How arguments and results are protected.
   *
   * @return empty if just the heads are, or nothing
   */
  default Optional<BodyProtection> bodies() {
    return Optional.empty();
  }
}
