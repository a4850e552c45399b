// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit.lab;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A command that runs in the lab's machine. */
public final class LabCommand {

  /** The script ends a command in time; this is for a script that does not. */
  private static final long GRACE_SECONDS = 40;

  private final Process process;
  private final Path output;
  private final long limitSeconds;

  LabCommand(Process process, Path output, long limitSeconds) {
    this.process = process;
    this.output = output;
    this.limitSeconds = limitSeconds;
  }

  /**
   * Waits until the command has ended, which it does at the latest when its time is over.
   *
   * @return how it ended
   */
  public LabResult await() {
    try {
      if (!process.waitFor(limitSeconds + GRACE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new AssertionError("The lab's script does not end: " + read());
      }
      return new LabResult(process.exitValue(), read());
    } catch (InterruptedException e) {
      process.destroy();
      Thread.currentThread().interrupt();
      throw new AssertionError("Interrupted", e);
    }
  }

  private String read() {
    try {
      return Files.readString(output, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
