// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.token;

/** Bytes that are not the Kerberos that was expected, or that no key opens. */
public class KerberosException extends Exception {

  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param message what is wrong; tells no secret
   */
  public KerberosException(String message) {
    super(message);
  }
}
