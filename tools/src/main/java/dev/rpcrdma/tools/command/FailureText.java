// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.command;

import java.nio.file.NoSuchFileException;

/** Says in one line what went wrong. Some of the words are of peers and captures. */
public final class FailureText {

  private FailureText() {}

  /**
   * Says what went wrong.
   *
   * @param failure of a command
   * @return one line that commands no terminal
   */
  public static String describe(Throwable failure) {
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
