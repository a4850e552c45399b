// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.token;

/** Something that cannot be opened since there is no key for it, or since it is of no type that is read. */
public final class NoKeyException extends KerberosException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param message what there is no key for; tells no secret
   */
  public NoKeyException(String message) {
    super(message);
  }
}
