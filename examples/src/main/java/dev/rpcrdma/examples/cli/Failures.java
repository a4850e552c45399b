// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.cli;

import java.nio.file.NoSuchFileException;

/** Says in one line what went wrong. */
final class Failures {

  private Failures() {}

  static String describe(Throwable failure) {
    if (failure instanceof NoSuchFileException) {
      return "No such file: " + failure.getMessage();
    }
    String message = failure.getMessage();
    if (message == null || message.isBlank()) {
      return failure.toString();
    }
    return message.replaceAll("\\s*\\R\\s*", " ");
  }
}
