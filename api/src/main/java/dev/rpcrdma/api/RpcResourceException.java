// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

/**
 * There is no memory for what was asked for, or there are too many calls, within the bounds that the options set. Of a
 * call: it was not executed.
 */
public final class RpcResourceException extends RpcException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param message what is missing and which bound to raise
   * @param cause the underlying exception; may be null
   */
  public RpcResourceException(String message, Throwable cause) {
    super(message, cause, false);
  }
}
