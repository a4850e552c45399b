package dev.rpcrdma.api;

/**
 * Why a call, or a connection, failed. Sealed by cause, so that a program can decide what to do.
 */
public abstract sealed class RpcException extends RuntimeException
    permits RpcTimeoutException, ConnectionLostException, ConnectFailedException,
    RpcRejectedException, RpcTransportException, RpcDecodingException, RpcCancelledException,
    RpcClosedException, RpcUnsupportedException {

  private static final long serialVersionUID = 1L;

  RpcException(String message, Throwable cause) {
    super(message, cause);
  }
}
