// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.security;

/** The verdict on a call whose caller has proved who it is, by the mechanism that protects the call. */
public interface ProvenUser extends CallSecurity {

  /** How a call and its reply are protected. */
  enum Protection {
    /** Heads are signed. */
    AUTHENTICATION,
    /** Arguments and results are signed, too. */
    INTEGRITY,
    /** Arguments and results are encrypted. */
    PRIVACY,
    /** The connection, such as TLS, protects all; the caller is bound to it. */
    CHANNEL
  }

  /**
   * Returns the name of the caller.
   *
   * @return as the mechanism prints it, such as {@code alice@EXAMPLE.ORG}
   */
  String name();

  /**
   * Returns how the call is protected.
   *
   * @return what the caller has chosen
   */
  Protection protection();
}
