// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

/**
 * There is no memory for {@link RpcConnection#allocate}; or the server has too many calls ({@link
 * RpcOptions#getMaxCallsPerService}, {@link RpcOptions#getMaxExecutions}); or, over the event bus, either end has; or
 * servers that keep replies together could not claim the call. A call that fails with this was not executed, unless
 * {@link #maybeExecuted} says otherwise: that a server has too many calls is signed by nobody, so that of a call by
 * Kerberos somebody on the path may have said it. Over RDMA, calls without memory or a place in a queue at this end
 * fail with an {@link RpcTransportException}.
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
    this(message, cause, false);
  }

  /**
   * Creates the exception.
   *
   * @param message what is missing and which bound to raise
   * @param cause the underlying exception; may be null
   * @param maybeExecuted whether the peer may have executed the call
   */
  public RpcResourceException(String message, Throwable cause, boolean maybeExecuted) {
    super(message, cause, maybeExecuted);
  }
}
