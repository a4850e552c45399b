// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.stream;

/** The peer's startup frame is not what MPA allows; the connection is closed (RFC 5044 §7.1.2). */
public final class StartupException extends Exception {

  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param message what the peer did, for people
   */
  public StartupException(String message) {
    super(message);
  }
}
