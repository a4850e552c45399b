// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit.lab;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Programs and header files of Debian's packages, which tests need on this machine; see {@link NeedsTools}. */
public final class DebianTools {

  private static final int SECONDS = 60;

  private DebianTools() {}

  /** Returns those programs that are not on the path, and those files that do not exist. */
  static List<String> missing(List<String> programs, List<Path> files, String path) {
    return Stream.concat(
        programs.stream().filter(program -> !isOn(path, program)),
        files.stream().filter(file -> !Files.exists(file)).map(Path::toString)).toList();
  }

  /** Returns the reason of a test that is skipped, with the command that installs what is missing. */
  static String reason(List<String> missing, String packages) {
    return "No " + String.join(", no ", missing) + " here: apt-get install " + packages;
  }

  private static boolean isOn(String path, String program) {
    return Arrays.stream(path.split(File.pathSeparator))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }

  /**
   * Runs a program to its end, which has to be a good one.
   *
   * @param folder where it runs
   * @param command the program and its arguments
   * @return what it prints
   * @throws IOException if it cannot be started
   * @throws InterruptedException if this thread is interrupted
   */
  public static String run(Path folder, List<String> command) throws IOException, InterruptedException {
    Path output = folder.resolve("output");
    Process process = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true)
        .redirectOutput(output.toFile()).start();
    try {
      if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError(String.join(" ", command) + " does not end: " + Files.readString(output));
      }
    } finally {
      process.destroyForcibly();
    }
    if (process.exitValue() != 0) {
      throw new AssertionError(String.join(" ", command) + " failed: " + Files.readString(output));
    }
    return Files.readString(output);
  }
}
