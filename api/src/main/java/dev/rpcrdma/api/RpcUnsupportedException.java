// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

/**
 * The peer does not know a header type ({@link RpcConnection#exchange}), or has not said that it does.
 * The connection goes on.
 */
public final class RpcUnsupportedException extends RpcException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param message what happened and what to do
   */
  public RpcUnsupportedException(String message) {
    this(message, false);
  }

  /**
   * One of a call that another server may have executed before.
   *
   * @param message what happened and what to do
   * @param maybeExecuted see {@link #maybeExecuted()}
   */
  public RpcUnsupportedException(String message, boolean maybeExecuted) {
    super(message, null, maybeExecuted);
  }
}
