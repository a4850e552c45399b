package dev.rpcrdma.protocol.oncrpc;

import java.util.Optional;

/** How an accepted call fared (RFC 5531 §9, accept_stat). The ordinal is the wire value. */
public enum AcceptStatus {
  /** Executed; results follow. */
  SUCCESS,
  /** The program is not served here. */
  PROG_UNAVAIL,
  /** The program is served in other versions; their range follows. */
  PROG_MISMATCH,
  /** The program has no such procedure. */
  PROC_UNAVAIL,
  /** The arguments could not be decoded; the call was not executed. */
  GARBAGE_ARGS,
  /** The server failed in some other way. */
  SYSTEM_ERR;

  private static final AcceptStatus[] VALUES = values();

  /**
   * The status of a wire value.
   *
   * @param value 32 bits
   * @return empty if there is no such status
   */
  public static Optional<AcceptStatus> of(int value) {
    return value >= 0 && value < VALUES.length ? Optional.of(VALUES[value]) : Optional.empty();
  }
}
