package dev.rpcrdma.api;

/**
 * A call was to be signed or encrypted, and there was nothing to do it by: no ticket, no agreement with the server, or the
 * mechanism has failed. It was not sent.
 */
public final class RpcSecurityException extends RpcException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param message what happened and what to do
   */
  public RpcSecurityException(String message) {
    super(message, null, false);
  }
}
