// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.tools.cli.CommandProcess;
import dev.rpcrdma.tools.cli.Commands;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Commands that are interrupted, in processes of their own. */
@Timeout(90)
@Tag("large")
class SignalsTest {

  /** What a shell makes of SIGINT and SIGTERM: 128 and the number. */
  private static final int INTERRUPTED = 130;
  private static final int TERMINATED = 143;

  @TempDir
  private Path folder;

  /** Fails if {@code TemporaryFolder} deletes nothing when the process ends. */
  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
      "demo | store ", "demo --tls --provider siw | store ", "ranges | by ranges ", "desk | listens, with TLS",
      "rping -s -a 127.0.0.1 -p 0 | listening on"})
  @DisplayName("SIGINT leaves no file behind, and no complaint")
  void interrupted(String command, String begun) throws Exception {
    try (CommandProcess process = new CommandProcess(folder, command.split(" "))) {
      process.awaitOutput(begun);
      assertThat(process.end("INT")).isEqualTo(INTERRUPTED);
      assertThat(process.left()).as(process.output()).isEmpty();
      assertThat(process.output()).doesNotContain("rpcrdma: ", "Exception");
    }
  }

  /** Fails if {@code Ending} hooks nothing, and the temporary folder is left to the process that has gone. */
  @Test
  @DisplayName("SIGTERM is the same")
  void terminated() throws Exception {
    try (CommandProcess process = new CommandProcess(folder, "ranges")) {
      assertThat(process.awaitOutput("by ranges ").end("TERM")).isEqualTo(TERMINATED);
      assertThat(process.left()).isEmpty();
    }
  }

  /** Fails if {@code Ending.endChildren} ends none. */
  @Test
  @DisplayName("A process that the command has started is ended with it, and leaves nothing behind either")
  void children() throws Exception {
    try (CommandProcess process = new CommandProcess(folder, "desk")) {
      ProcessHandle keytool = process.awaitChild();
      assertThat(process.end("INT")).isEqualTo(INTERRUPTED);
      assertThat(keytool.isAlive()).isFalse();
      assertThat(process.left()).isEmpty();
      assertThat(process.output()).doesNotContain("rpcrdma: ", "Exception");
    }
  }

  /** Fails if {@code RpingCommand} does not close its device when the process ends. */
  @Test
  @DisplayName("A capture that is being recorded is whole up to there")
  void capture() throws Exception {
    Path capture = folder.resolve("rping.pcapng");
    try (CommandProcess server = new CommandProcess(folder.resolve("server"), "rping", "-s", "-a", "127.0.0.1", "-p", "0");
        CommandProcess process = new CommandProcess(folder.resolve("client"), "rping", server.awaitListening(), "-S",
            "65535", "-v", "--capture", capture.toString())) {
      process.awaitOutput("rdma-ping-40:");
      assertThat(process.end("INT")).isEqualTo(INTERRUPTED);
    }
    Commands commands = new Commands();
    assertThat(commands.run("decode", capture.toString())).as(commands.err()).isZero();
    assertThat(commands.out()).containsPattern("[1-9]\\d\\d messages\n$");
  }

  /** Fails if {@code RunningVertx} is not closed when the process ends. */
  @Test
  @DisplayName("A capture of calls that are being made is whole, too")
  void captureOfCalls() throws Exception {
    Path capture = folder.resolve("demo.pcapng");
    try (CommandProcess process = new CommandProcess(folder, "demo", "--capture", capture.toString())) {
      process.awaitOutput("store ");
      assertThat(process.end("INT")).isEqualTo(INTERRUPTED);
      assertThat(process.left()).isEmpty();
    }
    Commands commands = new Commands();
    assertThat(commands.run("decode", "--quiet", capture.toString())).as(commands.err()).isZero();
  }
}
