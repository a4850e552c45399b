// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import dev.rpcrdma.tools.cli.Commands;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** What people see on narrow terminals. */
class TerminalTest {

  private final StringWriter seen = new StringWriter();

  private static String words(String text) {
    return text.replaceAll("\\s+", "");
  }

  /** Fails if {@code Terminal.fitHelp} takes no notice of the width. */
  @Test
  @DisplayName("Help of a wide terminal has longer lines, up to 120")
  void wide() {
    CommandLine line = Commands.line();
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
}
