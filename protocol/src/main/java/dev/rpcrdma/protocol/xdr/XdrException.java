// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.xdr;

/** Bytes that are not the XDR that was expected, or a value that XDR cannot carry. */
public final class XdrException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param message what was wrong, and where in the stream
   */
  public XdrException(String message) {
    super(message);
  }
}
