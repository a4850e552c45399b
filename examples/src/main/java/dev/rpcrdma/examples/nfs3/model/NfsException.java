// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3.model;

import java.util.Objects;

/**
 * A procedure cannot be done, and its caller gets a status. Carries no stack trace: it is an
 * answer.
 */
public final class NfsException extends Exception {

  private static final long serialVersionUID = 1L;

  private final NfsStatus status;

  /**
   * Creates the exception.
   *
   * @param status what the caller gets
   * @param message for people on this side; does not cross
   */
  public NfsException(NfsStatus status, String message) {
    super(status + ": " + message, null, false, false);
    this.status = Objects.requireNonNull(status, "status");
  }

  /**
   * What the caller gets.
   *
   * @return anything but OK
   */
  public NfsStatus status() {
    return status;
  }
}
