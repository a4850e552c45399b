// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

/**
 * The call was given up by the {@link Cancellation} that it was made with. The peer may or may not have
 * executed it, and may still be doing so. A peer of this library is told, its service may hear ({@link
 * RpcCall#abandonHandler}), and it answers at once; with any other peer a call that was sent keeps its credit until
 * the late reply, or the loss of the connection.
 *
 * <p>The caller has everything back when it hears this. A {@link Payload} that the call exposed is out of
 * the peer's reach (RFC 8166 §4.4.1), and may be released or used anew. A peer of this library says when it uses the
 * memory no more, and the call fails then, 100 ms after it was given up at the latest. If the peer says nothing in that
 * time, or is another one, the late reply may cost the connection: the peer may still want to write a result there, to
 * read an argument, or to invalidate the tag (RFC 8797 §4.1). None of that succeeds. Other calls of a channel go on
 * over the next connection. Where no memory of the caller was exposed, the late reply is harmless.
 */
public final class RpcCancelledException extends RpcException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param message what happened and what to do
   * @param maybeExecuted see {@link #maybeExecuted()}
   */
  public RpcCancelledException(String message, boolean maybeExecuted) {
    super(message, null, maybeExecuted);
  }
}
