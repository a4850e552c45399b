// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.record;

/** A stream does not keep to record marking, or to the limits of its reader; it cannot be read any further. */
public final class RecordException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param message what was wrong
   */
  public RecordException(String message) {
    // A peer decides how often this happens, so it is made cheap: no stack trace.
    super(message, null, false, false);
  }
}
