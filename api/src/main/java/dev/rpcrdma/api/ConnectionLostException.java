package dev.rpcrdma.api;

/** The connection ended before the reply came. The peer may or may not have executed the call. */
public final class ConnectionLostException extends RpcException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param message what happened and what to do
   */
  public ConnectionLostException(String message) {
    super(message, null);
  }

  /**
   * Creates the exception with an underlying one.
   *
   * @param message what happened and what to do
   * @param cause the underlying exception
   */
  public ConnectionLostException(String message, Throwable cause) {
    super(message, cause);
  }
}
