// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.token;

import java.io.IOException;

/** A file that is no keytab, or one that ends early or contradicts itself. */
public final class KeytabException extends IOException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param message what is wrong; tells no key
   */
  public KeytabException(String message) {
    super(message);
  }
}
