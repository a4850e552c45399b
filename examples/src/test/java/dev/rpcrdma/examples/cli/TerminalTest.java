// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** What people see on narrow terminals. */
class TerminalTest {

  private final StringWriter seen = new StringWriter();

  static List<String> commands() {
    List<String> all = new ArrayList<>(Main.commandLine().getSubcommands().keySet());
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
    CommandLine line = Main.commandLine();
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

  private static String[] help(String command, int columns) {
    CommandLine line = Main.commandLine();
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

  /** Fails if {@code Terminal.fitHelp} takes no notice of the width. */
  @Test
  @DisplayName("Help of a wide terminal has longer lines, up to 120")
  void wide() {
    CommandLine line = Main.commandLine();
    Terminal.fitHelp(line, 200);
    assertThat(line.getSubcommands().get("decode").getUsageMessage().lines().mapToInt(String::length).max()
        .orElseThrow()).isBetween(100, 120);
  }

  /** Fails if {@code FoldingWriter.fold} copies the rest of a line with each fold. */
  @Test
  @DisplayName("A line of megabytes takes no time beyond its size")
  void longLine() {
    String text = "word ".repeat(800_000).strip();
    assertTimeout(Duration.ofSeconds(8), () -> fold(40, text));
    assertThat(words(seen.toString())).isEqualTo(words(text));
  }

  private String fold(int columns, String text) {
    PrintWriter out = Terminal.folding(new PrintWriter(seen), columns);
    out.println(text);
    return seen.toString();
  }

  /** Fails if {@code FoldingWriter.indentation} finds no column. */
  @Test
  void belowItsColumn() {
    assertThat(fold(40, "inline           one two three four five six seven eight"))
        .isEqualTo("inline           one two three four five\n                 six seven eight\n");
  }

  @Test
  @DisplayName("A column too far to the right begins at the left again; words that are too long are cut")
  void farToTheRight() {
    assertThat(fold(20, "program         version abcdefghijklmnopqrstuvwxyz"))
        .isEqualTo("program\n    version\n    abcdefghijklmnop\n    qrstuvwxyz\n");
  }

  /** Fails if {@code FoldingWriter.end} counts colors. */
  @Test
  void colorsTakeNoRoom() {
    String colored = "\u001b[1mone\u001b[21m \u001b[33mtwo\u001b[39m";
    assertThat(fold(7, colored)).isEqualTo(colored + "\n");
  }

  /** Fails if {@code FoldingWriter} changes what fits. */
  @Test
  void whatFits() {
    assertThat(fold(10, "0123456789\n\n  a    b")).isEqualTo("0123456789\n\n  a    b\n");
  }

  /** Fails if {@code ProgressBar} has a width of its own. */
  @ParameterizedTest
  @ValueSource(ints = {20, 32, 40, 60, 72, 80, 200})
  @DisplayName("The bar never reaches the last column, and is wiped out whole")
  void bar(int columns) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ProgressBar bar = new ProgressBar(new PrintStream(bytes, true, StandardCharsets.UTF_8), columns);
    bar.progress("read back", 500_000_000_000L, 999_999_000_000L);
    bar.progress("read back", 999_999_000_000L, 999_999_000_000L);
    bar.end();
    List<String> drawn = Stream.of(bytes.toString(StandardCharsets.UTF_8).split("\r")).filter(each -> !each.isEmpty())
        .toList();
    assertThat(drawn).hasSize(3).allSatisfy(each -> assertThat(each.length()).isLessThan(columns));
    assertThat(drawn.get(2)).isBlank().hasSizeGreaterThanOrEqualTo(drawn.get(1).length());
    assertThat(columns < 40 || drawn.get(1).contains("#] 100 %  999,999 MB")).isTrue();
  }
}
