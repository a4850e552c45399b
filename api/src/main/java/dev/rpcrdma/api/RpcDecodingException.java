// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

/** The reply's results are not what the program's interface says. The peer has executed the call. */
public final class RpcDecodingException extends RpcException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param message what happened and what to do
   * @param cause the underlying exception
   */
  public RpcDecodingException(String message, Throwable cause) {
    super(message, cause, true);
  }
}
