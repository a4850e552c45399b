// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.security;

import dev.rpcrdma.protocol.oncrpc.AuthStatus;

/** What an {@link Authenticator} says of a call. */
public sealed interface Verdict permits Verdict.Refused, Verdict.Dropped, Verdict.Pending, CallSecurity {

  /** It is told later. */
  Pending PENDING = new Pending();

  /** The call is not executed, and nobody is told. */
  Dropped DROPPED = new Dropped();

  /**
   * The call is not executed.
   *
   * @param status why
   */
  record Refused(AuthStatus status) implements Verdict {}

  /** See {@link #PENDING}. */
  final class Pending implements Verdict {

    private Pending() {}
  }

  /** See {@link #DROPPED}. */
  final class Dropped implements Verdict {

    private Dropped() {}
  }
}
