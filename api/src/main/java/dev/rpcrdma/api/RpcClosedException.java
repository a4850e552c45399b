package dev.rpcrdma.api;

/** The channel, connection, client or server was closed by this side. */
public final class RpcClosedException extends RpcException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param message what happened and what to do
   */
  public RpcClosedException(String message) {
    super(message, null);
  }

  /**
   * Creates the exception with an underlying one.
   *
   * @param message what happened and what to do
   * @param cause the underlying exception
   */
  public RpcClosedException(String message, Throwable cause) {
    super(message, cause);
  }
}
