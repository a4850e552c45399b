// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

/**
 * The arguments cannot be sent: their encoder failed, they hold data items that the binding does not name, or a
 * payload among them was released. The call was not made, unless it was sent to another server before.
 */
public final class RpcEncodingException extends RpcException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param message what happened and what to do
   * @param cause what the encoder threw; may be null
   */
  public RpcEncodingException(String message, Throwable cause) {
    this(message, cause, false);
  }

  /**
   * One of a call that another server may have executed before.
   *
   * @param message what happened and what to do
   * @param cause why; may be null
   * @param maybeExecuted see {@link #maybeExecuted()}
   */
  public RpcEncodingException(String message, Throwable cause, boolean maybeExecuted) {
    super(message, cause, maybeExecuted);
  }
}
