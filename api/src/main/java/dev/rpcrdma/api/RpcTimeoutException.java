// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

/** No reply came in time. The peer may or may not have executed the call. */
public final class RpcTimeoutException extends RpcException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param message what happened and what to do
   * @param maybeExecuted see {@link #maybeExecuted()}
   */
  public RpcTimeoutException(String message, boolean maybeExecuted) {
    super(message, null, maybeExecuted);
  }
}
