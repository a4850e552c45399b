// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.testkit.ChildProcess;
import dev.rpcrdma.testkit.lab.NeedsTools;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands whose output goes nowhere, in processes of their own. */
@NeedsTools(programs = {"sh", "head"}, packages = "dash coreutils")
@Timeout(120)
@Tag("large")
class OutputFailuresTest {

  private static final Duration DEADLINE = Duration.ofSeconds(90);

  @TempDir
  private Path folder;

  /** Runs a command by a shell script that has it as its arguments; gives what is on stderr. */
  private String run(String script, String... arguments) throws Exception {
    Path errors = folder.resolve("errors");
    List<String> command = new ArrayList<>(List.of("sh", "-c", script, "sh",
        Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
        System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(List.of(arguments));
    ChildProcess process = ChildProcess.command(command).errors(ProcessBuilder.Redirect.to(errors.toFile()))
        .environment(Map.of("STATUS", folder.resolve("status").toString())).deadline(DEADLINE).start();
    try {
      process.await();
    } finally {
      process.destroy();
    }
    return Files.readString(errors, StandardCharsets.UTF_8);
  }

  private String status() throws Exception {
    return Files.readString(folder.resolve("status")).trim();
  }

  /** Fails if {@code StandardOutput.failed} does not tell it, or {@code Main} exits with the command's status. */
  @ParameterizedTest
  @ValueSource(strings = {"doctor --provider siw", "help decode", "--version"})
  @DisplayName("A full disk fails the command, with a line that says so")
  void fullDisk(String command) throws Exception {
    assertThat(run("\"$@\" >/dev/full; echo $? >\"$STATUS\"", command.split(" ")))
        .isEqualTo("rpcrdma: Cannot write to standard output: No space left on device\n");
    assertThat(status()).isEqualTo("1");
  }

  /** Fails if {@code StandardOutput.failed} ends nothing, and the client goes on to ping. */
  @Test
  @DisplayName("A command without an end ends silently with the one that reads its output")
  void brokenPipe() throws Exception {
    try (CommandProcess server = new CommandProcess(folder.resolve("server"), "rping", "-s", "-a", "127.0.0.1", "-p",
        "0")) {
      String errors = run("{ \"$@\"; echo $? >\"$STATUS\"; } | head -n 1", "rping", "-v", server.awaitListening());
      assertThat(errors).doesNotContain("rpcrdma: ", "Exception");
      assertThat(status()).isEqualTo("141");
    }
  }
}
