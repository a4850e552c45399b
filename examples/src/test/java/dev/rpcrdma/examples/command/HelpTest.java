// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.tools.cli.Commands;
import dev.rpcrdma.tools.command.Terminal;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Help of all commands on terminals of any width. */
class HelpTest {

  static List<String> commands() {
    List<String> all = new ArrayList<>(Commands.line().getSubcommands().keySet());
    all.add("");
    return all;
  }

  private static String words(String text) {
    return text.replaceAll("\\s+", "");
  }

  /** Fails if {@code FoldingWriter} or {@code Terminal.fitHelp} lets a line be too long, or loses a word. */
  @ParameterizedTest
  @MethodSource("commands")
  @DisplayName("Help of each command fits 40 to 80 columns, and loses nothing")
  void help(String command) {
    CommandLine line = Commands.line();
    CommandLine shown = command.isEmpty() ? line : line.getSubcommands().get(command);
    for (int columns = 40; columns <= 80; columns++) {
      Terminal.fitHelp(line, columns);
      StringWriter text = new StringWriter();
      PrintWriter out = Terminal.folding(new PrintWriter(text), columns);
      shown.usage(out);
      out.flush();
      int width = columns;
      assertThat(text.toString().lines()).allSatisfy(each -> assertThat(each.length()).isLessThanOrEqualTo(width));
      assertThat(words(text.toString())).isEqualTo(words(shown.getUsageMessage()));
    }
  }

  /** Fails if {@code Main} gives commands no version that have an option for it. */
  @ParameterizedTest
  @ValueSource(strings = {"new", "decode", "demo", "ranges", "desk"})
  @DisplayName("A command that has --version says the version of the command line")
  void version(String command) {
    Commands commands = new Commands();
    assertThat(commands.run(command, "--version")).isZero();
    assertThat(commands.out()).startsWith("vertx-rpcrdma ");
  }

  private static String[] help(String command, int columns) {
    CommandLine line = Commands.line();
    CommandLine shown = command.isEmpty() ? line : line.getSubcommands().get(command);
    line.setUsageHelpWidth(columns);
    return shown.getUsageMessage().split("\\s+");
  }

  /** Fails if the label of an option of {@code FabricOptions} has a dot in it. */
  @Test
  @DisplayName("Help of nfs3 breaks no word, however wide the terminal is")
  void wholeWordsOfNfs3() {
    for (int columns = 55; columns <= 120; columns++) {
      assertThat(help("nfs3", columns)).isSubsetOf(help("nfs3", 2000));
    }
  }
}
