// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

/** The connection could not be made: nobody listens, the peer rejects, or it does not speak the protocol. */
public final class RpcConnectException extends RpcException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception of a connection that no call waited for, or none that was sent.
   *
   * @param message what happened and what to do
   * @param cause the underlying exception; may be null
   */
  public RpcConnectException(String message, Throwable cause) {
    this(message, cause, false);
  }

  /**
   * Creates the exception.
   *
   * @param message what happened and what to do
   * @param cause the underlying exception; may be null
   * @param maybeExecuted whether the call was sent over a connection before, which was lost
   */
  public RpcConnectException(String message, Throwable cause, boolean maybeExecuted) {
    super(message, cause, maybeExecuted);
  }
}
