package dev.rpcrdma.api;

/** No reply came in time. The peer may or may not have executed the call. */
public final class RpcTimeoutException extends RpcException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param message what happened and what to do
   */
  public RpcTimeoutException(String message) {
    super(message, null);
  }

  /**
   * Creates the exception with an underlying one.
   *
   * @param message what happened and what to do
   * @param cause the underlying exception
   */
  public RpcTimeoutException(String message, Throwable cause) {
    super(message, cause);
  }
}
