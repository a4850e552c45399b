// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

/** The connection ended before the reply came, and the call was not sent again over another one. */
public final class RpcConnectionLostException extends RpcException {

  private static final long serialVersionUID = 1L;

  private final boolean forgotten;

  /**
   * Creates the exception.
   *
   * @param message what happened and what to do
   * @param maybeExecuted see {@link #maybeExecuted()}
   * @param forgotten whether the peer has forgotten this end since
   */
  public RpcConnectionLostException(String message, boolean maybeExecuted, boolean forgotten) {
    super(message, null, maybeExecuted);
    this.forgotten = forgotten;
  }

  /**
   * Whether the server was restarted, or has forgotten this channel, since the call was sent: there is a
   * connection again, but sending this call over it might execute it twice.
   *
   * @return true if so
   */
  public boolean forgotten() {
    return forgotten;
  }
}
