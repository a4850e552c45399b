// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.oncrpc.AuthStatus;
import java.util.Optional;

/**
 * The peer answered the call, but not with results (RFC 5531 §9). Mostly it has not executed it. But SYSTEM_ERR also
 * comes from a service that failed half-way, that still executes the call although its time is over, or whose results
 * could not be encoded; and a service may say other statuses itself ({@link RpcStatusException}). {@link
 * #maybeExecuted()} says of each that was sent that it may have been. Also: a client has not announced that it serves
 * the program, so that the call was not sent.
 */
public final class RpcRejectedException extends RpcException {

  private static final long serialVersionUID = 1L;

  private final AcceptStatus acceptStatus;
  private final AuthStatus authStatus;

  /**
   * An accepted call without success.
   *
   * @param status how it fared
   * @param message what that means and what to do
   * @param maybeExecuted whether the call was sent at all
   */
  public RpcRejectedException(AcceptStatus status, String message, boolean maybeExecuted) {
    super(message, null, maybeExecuted);
    this.acceptStatus = status;
    this.authStatus = null;
  }

  /**
   * A call denied for its credentials.
   *
   * @param status why
   * @param message what that means and what to do
   * @param maybeExecuted whether the call was sent at all
   */
  public RpcRejectedException(AuthStatus status, String message, boolean maybeExecuted) {
    super(message, null, maybeExecuted);
    this.acceptStatus = null;
    this.authStatus = status;
  }

  /**
   * A call denied for its RPC version.
   *
   * @param message what that means
   * @param maybeExecuted whether the call was sent at all
   */
  public RpcRejectedException(String message, boolean maybeExecuted) {
    super(message, null, maybeExecuted);
    this.acceptStatus = null;
    this.authStatus = null;
  }

  /**
   * How an accepted call fared.
   *
   * @return empty if it was denied
   */
  public Optional<AcceptStatus> acceptStatus() {
    return Optional.ofNullable(acceptStatus);
  }

  /**
   * Why credentials were refused.
   *
   * @return empty if it was something else
   */
  public Optional<AuthStatus> authStatus() {
    return Optional.ofNullable(authStatus);
  }
}
