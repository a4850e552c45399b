package dev.rpcrdma.api;

import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import java.util.Objects;

/** Thrown by a service that wants its call to be answered with an accept status (RFC 5531 §9). */
public final class RpcStatusException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final AcceptStatus status;

  /**
   * Creates the exception.
   *
   * @param status one of those that carry no data: PROC_UNAVAIL, GARBAGE_ARGS, SYSTEM_ERR
   * @param message for the log of this side; does not cross
   */
  public RpcStatusException(AcceptStatus status, String message) {
    super(message);
    this.status = Objects.requireNonNull(status, "status");
    if (status == AcceptStatus.SUCCESS || status == AcceptStatus.PROG_MISMATCH) {
      throw new IllegalArgumentException(status + " cannot be answered this way");
    }
  }

  /**
   * What to answer.
   *
   * @return the status
   */
  public AcceptStatus status() {
    return status;
  }
}
