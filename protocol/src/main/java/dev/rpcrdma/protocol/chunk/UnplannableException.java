// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.chunk;

/** A message that cannot be conveyed within the rules of its connection. */
public final class UnplannableException extends Exception {

  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param message which limit, and what to do
   */
  public UnplannableException(String message) {
    super(message, null, false, false);
  }
}
