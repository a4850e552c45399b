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
import org.junit.jupiter.api.Assumptions;

/** What tests need of this machine: programs and header files of Debian's packages, such as those that compile C. */
public final class DebianTools {

  private static final int SECONDS = 60;

  private DebianTools() {}

  /**
   * Skips the test if this machine lacks one of them; fails it if that is not allowed.
   *
   * @param programs that have to be on the path
   * @param headers that have to be there
   * @param packages where both are from
   */
  public static void assume(List<String> programs, List<Path> headers, String packages) {
    assume(programs, headers, packages, System.getenv("PATH"), LabExtension.required());
  }

  static void assume(List<String> programs, List<Path> headers, String packages, String path, boolean required) {
    List<String> missing = Stream.concat(
        programs.stream().filter(program -> !isOn(path, program)),
        headers.stream().filter(header -> !Files.exists(header)).map(Path::toString)).toList();
    if (missing.isEmpty()) {
      return;
    }
    String reason = "No " + String.join(", no ", missing) + " here: apt-get install " + packages;
    if (required) {
      throw new AssertionError(reason);
    }
    System.out.println("A test is skipped. " + reason);
    Assumptions.abort(reason);
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
