// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.oncrpc.AuthStatus;
import java.util.Objects;
import java.util.Optional;

/** Thrown by a service that wants its call to be answered with an accept status or an auth status (RFC 5531 §9). */
public final class RpcStatusException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final AcceptStatus status;
  private final AuthStatus authStatus;

  /**
   * Says that the call has failed.
   *
   * @param status one of those that carry no data: PROC_UNAVAIL, GARBAGE_ARGS, SYSTEM_ERR
   * @param message for interceptors and spans of this side; does not cross
   */
  public RpcStatusException(AcceptStatus status, String message) {
    super(message);
    this.status = Objects.requireNonNull(status, "status");
    this.authStatus = null;
    if (status == AcceptStatus.SUCCESS || status == AcceptStatus.PROG_MISMATCH) {
      throw new IllegalArgumentException(status + " cannot be answered this way");
    }
  }

  /**
   * Says that the call was not executed, for who makes it (AUTH_ERROR).
   *
   * @param status why
   * @param message for interceptors and spans of this side; does not cross
   */
  public RpcStatusException(AuthStatus status, String message) {
    super(message);
    this.status = null;
    this.authStatus = Objects.requireNonNull(status, "status");
    if (status == AuthStatus.OK) {
      throw new IllegalArgumentException("OK is no refusal");
    }
  }

  /**
   * How the call has fared.
   *
   * @return empty if it was refused for who makes it
   */
  public Optional<AcceptStatus> status() {
    return Optional.ofNullable(status);
  }

  /**
   * Why the call was refused.
   *
   * @return empty if it was not refused for who makes it
   */
  public Optional<AuthStatus> authStatus() {
    return Optional.ofNullable(authStatus);
  }
}
