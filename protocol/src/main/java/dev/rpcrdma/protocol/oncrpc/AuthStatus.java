// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.oncrpc;

import java.util.Optional;

/** Why authentication failed (RFC 5531 §9, auth_stat). The ordinal is the wire value. */
public enum AuthStatus {
  /** No failure. */
  OK,
  /** Bad credential: the seal is broken, or it cannot be decoded. */
  BADCRED,
  /** The client must begin a new session. */
  REJECTEDCRED,
  /** Bad verifier. */
  BADVERF,
  /** The verifier expired or was replayed. */
  REJECTEDVERF,
  /** Rejected for security reasons: a stronger flavor is wanted. */
  TOOWEAK,
  /** The client finds the server's verifier bogus. */
  INVALIDRESP,
  /** Some unknown reason. */
  FAILED,
  /** Old Kerberos: generic error. */
  KERB_GENERIC,
  /** Old Kerberos: the credential's time is up. */
  TIMEEXPIRE,
  /** Old Kerberos: a problem with the ticket file. */
  TKT_FILE,
  /** Old Kerberos: the authenticator cannot be decoded. */
  DECODE,
  /** Old Kerberos: wrong network address in the ticket. */
  NET_ADDR,
  /** RPCSEC_GSS: no credentials for the user. */
  RPCSEC_GSS_CREDPROBLEM,
  /** RPCSEC_GSS: a problem with the context. */
  RPCSEC_GSS_CTXPROBLEM;

  private static final AuthStatus[] VALUES = values();

  /**
   * The status of a wire value.
   *
   * @param value 32 bits
   * @return empty if this list has no such status
   */
  public static Optional<AuthStatus> of(int value) {
    return value >= 0 && value < VALUES.length ? Optional.of(VALUES[value]) : Optional.empty();
  }
}
