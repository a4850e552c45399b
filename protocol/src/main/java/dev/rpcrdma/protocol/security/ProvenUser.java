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
    /** What is below protects it all, such as TLS, to which the caller is bound. */
    CHANNEL
  }

  /**
   * Who it is.
   *
   * @return as the mechanism prints it, such as {@code alice@EXAMPLE.ORG}
   */
  String name();

  /**
   * How the call is protected.
   *
   * @return what the caller has chosen
   */
  Protection protection();
}
