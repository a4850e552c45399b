// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.tools.cli.CommandProcess;
import dev.rpcrdma.tools.cli.Commands;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What commands say when they fail, and when they are misspelled. */
@Tag("large")
class ComplaintsTest {

  /** Commands that only look at this machine, or have nothing that could be missing. */
  private static final Set<String> CANNOT_FAIL = Set.of("desk", "doctor", "devices", "help", "generate-completion");
  private static final List<String> FAILING = List.of("demo none", "demo --provider pigeon src",
      "new pom.xml", "ranges --provider pigeon", "ranges --size 3 --memory 1", "ping 127.0.0.1:1 --program 1",
      "ping 127.0.0.1:1 --program 1 --provider pigeon", "info 127.0.0.1:1", "rping 127.0.0.1:1",
      "rping 127.0.0.1:1 --provider pigeon", "rping -s -a 192.0.2.1", "rping 127.0.0.1:1 --capture none/x",
      "rping 127.0.0.1:1 --setting crs=1", "nfs3 --export none", "nfs3 --export . --address 192.0.2.1",
      "nfs3 --export . --tls --tls-cert none --tls-key none", "ping 127.0.0.1:1 --program 1 --tls --tls-trust none",
      "cluster --member 127.0.0.1:1", "decode none", "decode pom.xml", "decode --keytab pom.xml none");

  private final Commands commands = new Commands();
  @TempDir
  private Path folder;

  /** What commands do not begin without. */
  private static final Map<String, String> REQUIRED = Map.of("new", "new DIR", "ping", "ping 127.0.0.1:1 --program 1",
      "info", "info 127.0.0.1", "nfs3", "nfs3 --export .", "cluster", "cluster --member 127.0.0.1:1", "decode",
      "decode FILE");

  static Stream<String> commands() {
    return Commands.line().getSubcommands().keySet().stream();
  }

  /** All but what picocli brings, which takes no options of its own. */
  static Stream<String> withOptions() {
    return commands().filter(each -> !Set.of("help", "generate-completion").contains(each));
  }

  static List<String> failing() {
    return FAILING;
  }

  private int run(String line, String... more) {
    List<String> all = new ArrayList<>(List.of(line.split(" ")));
    all.addAll(List.of(more));
    return commands.run(all.toArray(String[]::new));
  }

  /** Fails if {@code ClusterCommand} leaves the log of Vert.x on, in which there is a stack trace. */
  @Test
  @DisplayName("What a failing cluster logs is not shown either")
  void cluster() throws Exception {
    try (CommandProcess process = new CommandProcess(folder, "cluster", "--member", "127.0.0.1:1")) {
      assertThat(process.await()).isEqualTo(1);
      assertThat(process.output()).contains("rpcrdma: No member of the cluster").doesNotContain("\tat ", "SEVERE");
    }
  }

  @Test
  @DisplayName("Each command that may fail is among those below")
  void complete() {
    assertThat(commands().filter(each -> !CANNOT_FAIL.contains(each)))
        .allSatisfy(command -> assertThat(FAILING).anyMatch(line -> line.startsWith(command + " ")));
  }

  /** Fails if {@code Main.commandLine} prints stack traces to all, or {@code FailureText} leaves lines as they are. */
  @ParameterizedTest
  @MethodSource("failing")
  @DisplayName("A failure is one line")
  void oneLine(String line) {
    assertThat(run(line)).isEqualTo(1);
    assertThat(commands.err()).startsWith("rpcrdma: ").hasLineCount(1);
    assertThat(commands.out()).isEmpty();
  }

  /** Fails if {@code WrongCommandLine} prints no suggestions, or usage. */
  @ParameterizedTest
  @MethodSource("withOptions")
  @DisplayName("An option that is misspelled is guessed")
  void options(String command) {
    wrong("Unknown option: '--verbsoe'\nPossible solutions: .*--verbose\\b.*\n", command,
        run(REQUIRED.getOrDefault(command, command), "--verbsoe"));
  }

  /** Fails if {@code WrongCommandLine.unknownOption} looks at other failures than of unknown options for none. */
  @ParameterizedTest
  @CsvSource(textBlock = """
      ping 127.0.0.1:1 --pogram 5, --pogram, --program, Missing required option: '--program=.*'
      ping 127.0.0.1:1 --programme=5, --programme=5, --program, Missing required option: '--program=.*'
      ping --pogram 5 127.0.0.1:1, --pogram, --program, ''
      nfs3 --exprot ., --exprot, --export, Missing required option: '--export=DIR'
      """)
  @DisplayName("An option that is misspelled is told though it is then missing, or its value taken for something else")
  void misspelledAndRequired(String line, String wrong, String guess, String more) {
    wrong("Unknown option: '" + wrong + "'\nPossible solutions: " + guess + "\n" + more + (more.isEmpty() ? "" : "\n"),
        line.split(" ")[0], run(line));
  }

  /** Fails if {@code WrongCommandLine} prints usage. */
  @ParameterizedTest
  @CsvSource(textBlock = """
      ping 127.0.0.1:1, Missing required option: '--program=.*'
      ping --program 5, Missing required parameter: 'HOST:PORT'
      ping 127.0.0.1:1 --program 5 --count many, Invalid value for option '--count': 'many' is not a number .*
      ping 127.0.0.1:1 --program 5 --count 3 4, Unmatched argument at index 6: '4'
      ping 127.0.0.1:1 --program, Missing required parameter for option '--program' .*
      rping -s -c, .*
      nfs3 --export . --sec krb5p, Kerberos needs --principal and --keytab.*
      """)
  @DisplayName("A wrong value, and what is missing, is told in one line, with how to get help")
  void wrongLines(String line, String message) {
    wrong(message + "\n", line.split(" ")[0], run(line));
  }

  private void wrong(String expected, String command, int status) {
    assertThat(status).isEqualTo(2);
    assertThat(commands.err()).matches(expected + "Try 'rpcrdma " + command + " --help'\\.\n");
    assertThat(commands.out()).isEmpty();
  }

  /** Fails if {@code WrongCommandLine} tells people to try what there is not. */
  @ParameterizedTest
  @MethodSource("commands")
  void everyCommandHelps(String command) {
    assertThat(commands.run(command, "--help")).isZero();
    assertThat(commands.out()).contains("Usage: rpcrdma " + command);
  }

  @ParameterizedTest
  @ValueSource(strings = {"dmo", "pinng", "rangse", "decoed", "doktor", "device"})
  @DisplayName("A command that is misspelled is guessed")
  void names(String name) {
    assertThat(commands.run(name)).isEqualTo(2);
    assertThat(commands.err())
        .matches("There is no command '" + name + "'\\.\nDid you mean: .*\\?\nTry 'rpcrdma --help'\\.\n");
  }

  /** Fails if {@code WrongCommandLine.commands} names none. */
  @ParameterizedTest
  @CsvSource({"pnig, There is no command 'pnig'.", "xyz, There is no command 'xyz'.", "--verbose, Which command?"})
  @DisplayName("A command that is like none, or left out, is told with all that there are")
  void unknown(String line, String message) {
    assertThat(commands.run(line)).isEqualTo(2);
    assertThat(commands.err()).startsWith(message + " There are new, ping, ").contains(", demo, ")
        .endsWith(".\nTry 'rpcrdma --help'.\n").hasLineCount(2);
    assertThat(commands.out()).isEmpty();
  }
}
