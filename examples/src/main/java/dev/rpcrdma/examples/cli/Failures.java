// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.cli;

import java.nio.file.NoSuchFileException;

/** Says in one line what went wrong. Some of the words are of peers and captures. */
final class Failures {

  private Failures() {}

  static String describe(Throwable failure) {
    if (failure instanceof NoSuchFileException) {
      return Printable.text("No such file: " + failure.getMessage());
    }
    String message = failure.getMessage();
    if (message == null || message.isBlank()) {
      return Printable.text(failure.toString());
    }
    return Printable.text(message.replaceAll("\\s*\\R\\s*", " "));
  }
}
