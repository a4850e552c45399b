// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What commands say when they fail, and when they are misspelled. */
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
    return Main.commandLine().getSubcommands().keySet().stream();
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

  /** Fails if {@code Main.commandLine} prints stack traces to all, or {@code Failures} leaves lines as they are. */
  @ParameterizedTest
  @MethodSource("failing")
  @DisplayName("A failure is one line")
  void oneLine(String line) {
    assertThat(run(line)).isEqualTo(1);
    assertThat(commands.err()).startsWith("rpcrdma: ").hasLineCount(1);
    assertThat(commands.out()).isEmpty();
  }

  /** Fails if {@code Main} prints no suggestions. */
  @ParameterizedTest
  @MethodSource("withOptions")
  @DisplayName("An option that is misspelled is guessed")
  void options(String command) {
    assertThat(run(REQUIRED.getOrDefault(command, command), "--verbsoe")).isEqualTo(2);
    assertThat(commands.err()).startsWith("Unknown option: '--verbsoe'")
        .containsPattern("Possible solutions: (--\\w+, )*--verbose\\b");
  }

  @ParameterizedTest
  @ValueSource(strings = {"dmo", "pinng", "rangse", "decoed", "doktor", "device"})
  @DisplayName("A command that is misspelled is guessed")
  void names(String name) {
    assertThat(commands.run(name)).isEqualTo(2);
    assertThat(commands.err().lines().limit(2)).anyMatch(line -> line.startsWith("Did you mean: "));
  }

  /** Fails if {@code Main} leaves these to picocli, which prints all of its help. */
  @ParameterizedTest
  @ValueSource(strings = {"pnig", "mount"})
  @DisplayName("A command that is like none is told in one line what there is")
  void unknown(String name) {
    assertThat(commands.run(name)).isEqualTo(2);
    assertThat(commands.err()).startsWith("There is no command '" + name + "'. There are demo, new, ")
        .contains(", ping, ").hasLineCount(1);
    assertThat(commands.out()).isEmpty();
  }
}
