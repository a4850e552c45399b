// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

/** A server cannot listen: no usable provider, an address that is taken or not this host's, or it listens already. */
public final class RpcListenException extends RpcException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param message what happened and what to do
   * @param cause the underlying exception; may be null
   */
  public RpcListenException(String message, Throwable cause) {
    super(message, cause, false);
  }
}
