// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

/**
 * Why a call, or a connection, failed. Sealed by cause, so that a program can decide what to do.
 */
public abstract sealed class RpcException extends RuntimeException
    permits RpcTimeoutException, RpcConnectionLostException, RpcConnectException, RpcListenException,
    RpcRejectedException, RpcTransportException, RpcEncodingException, RpcDecodingException, RpcCancelledException,
    RpcClosedException, RpcResourceException, RpcUnsupportedException, RpcNotRegisteredException,
    RpcSecurityException {

  private static final long serialVersionUID = 1L;

  private final boolean maybeExecuted;

  RpcException(String message, Throwable cause, boolean maybeExecuted) {
    super(message, cause);
    this.maybeExecuted = maybeExecuted;
  }

  /**
   * Whether the peer may have executed the call. If not, it was never sent, or its peer has said that it was not
   * executed: making it again executes it once. What was not a call, such as connecting, was not executed either.
   *
   * @return false only if the call was certainly not executed
   */
  public final boolean maybeExecuted() {
    return maybeExecuted;
  }
}
