// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

/** The channel, connection, client or server was closed by this side. */
public final class RpcClosedException extends RpcException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception for what was not sent.
   *
   * @param message what happened and what to do
   */
  public RpcClosedException(String message) {
    this(message, false);
  }

  /**
   * Creates the exception.
   *
   * @param message what happened and what to do
   * @param maybeExecuted see {@link #maybeExecuted()}
   */
  public RpcClosedException(String message, boolean maybeExecuted) {
    super(message, null, maybeExecuted);
  }
}
