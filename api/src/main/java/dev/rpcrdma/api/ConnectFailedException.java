package dev.rpcrdma.api;

/** The connection could not be made: nobody listens, the peer rejects, or it does not speak the protocol. */
public final class ConnectFailedException extends RpcException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param message what happened and what to do
   */
  public ConnectFailedException(String message) {
    super(message, null);
  }

  /**
   * Creates the exception with an underlying one.
   *
   * @param message what happened and what to do
   * @param cause the underlying exception
   */
  public ConnectFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}
