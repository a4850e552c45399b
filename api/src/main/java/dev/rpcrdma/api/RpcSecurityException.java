// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

/**
 * A call was to be signed or encrypted, and there was nothing to do it by: no ticket, no agreement with the server, or
 * the mechanism has failed. It was not sent, unless {@link #maybeExecuted} says otherwise: a connection had sent it that
 * was lost, or its server seems to have refused it, which nobody signs.
 */
public final class RpcSecurityException extends RpcException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param message what happened and what to do
   * @param maybeExecuted whether the peer may have executed the call
   */
  public RpcSecurityException(String message, boolean maybeExecuted) {
    super(message, null, maybeExecuted);
  }
}
