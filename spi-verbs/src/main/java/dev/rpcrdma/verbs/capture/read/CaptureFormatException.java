// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.capture.read;

import java.io.IOException;

/** A file that is no capture, or one that ends early or contradicts itself. */
public final class CaptureFormatException extends IOException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param message what is wrong, with the number of the frame
   */
  public CaptureFormatException(String message) {
    super(message);
  }
}
