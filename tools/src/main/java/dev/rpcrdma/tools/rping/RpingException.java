// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.rping;

/** A ping that went wrong. The message is one line for people. */
public final class RpingException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  RpingException(String message) {
    super(message);
  }
}
