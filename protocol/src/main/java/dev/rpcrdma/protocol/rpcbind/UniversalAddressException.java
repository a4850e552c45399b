// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.rpcbind;

/** A text is no universal address of a family of the Internet (RFC 5665 §5.2.3). */
public final class UniversalAddressException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param message what was wrong
   */
  public UniversalAddressException(String message) {
    super(message);
  }
}
