// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

/**
 * The transport could not carry the call or its reply: an RDMA_ERROR of the peer, a reply that breaks RFC 8166, memory
 * that could not be had or exposed, or as many calls waiting as may ({@link RpcOptions#getMaxQueuedCalls}). The
 * connection goes on unless it says so.
 */
public final class RpcTransportException extends RpcException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param message what happened and what to do
   * @param maybeExecuted see {@link #maybeExecuted()}
   */
  public RpcTransportException(String message, boolean maybeExecuted) {
    super(message, null, maybeExecuted);
  }
}
