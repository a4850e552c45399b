package dev.rpcrdma.api;

/** The caller gave the call up. */
public final class RpcCancelledException extends RpcException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param message what happened and what to do
   */
  public RpcCancelledException(String message) {
    super(message, null);
  }

  /**
   * Creates the exception with an underlying one.
   *
   * @param message what happened and what to do
   * @param cause the underlying exception
   */
  public RpcCancelledException(String message, Throwable cause) {
    super(message, cause);
  }
}
