// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs;

import java.util.Objects;

/** What a device or a peer refused or failed to do. The message says what the user can do. */
public class VerbsException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** The causes that callers tell apart. */
  public enum Kind {
    /** The provider or its device cannot be used on this machine. */
    UNAVAILABLE,
    /** An option or argument is outside its range. */
    INVALID_ARGUMENT,
    /** The device has nothing of the kind that was asked for, such as TLS. */
    UNSUPPORTED,
    /** The address to listen on is in use or not of this machine. */
    ADDRESS_UNAVAILABLE,
    /** Nothing listens at the remote address, or it cannot be reached. */
    UNREACHABLE,
    /** The peer's consumer rejected the connection; see {@link ConnectionRejectedException}. */
    REJECTED,
    /** The peer answered, but does not speak the device's protocol. */
    PROTOCOL,
    /** The peer did not answer, or did not finish connecting, within the deadline. */
    TIMEOUT,
    /** The connection was lost or closed before the operation finished. */
    DISCONNECTED,
    /** A bound on memory, connections or queue entries is reached. */
    RESOURCES,
    /** The device, listener or queue pair was closed by this side. */
    CLOSED
  }

  private final Kind kind;

  /**
   * Creates an exception.
   *
   * @param kind the cause
   * @param message what happened and what to do
   */
  public VerbsException(Kind kind, String message) {
    this(kind, message, null);
  }

  /**
   * Creates an exception with an underlying one.
   *
   * @param kind the cause
   * @param message what happened and what to do
   * @param cause the underlying exception, or null
   */
  public VerbsException(Kind kind, String message, Throwable cause) {
    super(message, cause);
    this.kind = Objects.requireNonNull(kind, "kind");
  }

  /**
   * The cause, for programs.
   *
   * @return the kind
   */
  public Kind kind() {
    return kind;
  }
}
