// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.tools.command.FailureText;
import dev.rpcrdma.tools.command.Printable;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Characters that command terminals: clear them, move what is written, retitle windows, or reverse text. */
@DisplayName("Text of strangers on terminals")
class PrintableTest {

  private static final String HOSTILE = "a\u001b[2Jb\u009bc\u202ed\re\nf";
  private static final String SHOWN = "a?[2Jb?c?d?e?f";

  /** Fails if {@code Printable.Lines.write} hands on what it gets, or takes the end of a line for a command. */
  @Test
  @DisplayName("A printed text stays in its line, and commands nothing; letters of all languages are shown")
  void lines() {
    StringWriter out = new StringWriter();
    PrintWriter lines = Printable.lines(new PrintWriter(out));
    lines.println(HOSTILE);
    lines.printf("%-4s|%s%n", "x", HOSTILE);
    lines.println("\tgr\u00fc\u00dfe \ud83d\ude80");
    assertThat(out.toString()).isEqualTo(SHOWN + "\nx   |" + SHOWN + "\n\tgr\u00fc\u00dfe \ud83d\ude80\n");
  }

  /** Fails if {@code FailureText.describe} gives the message as it is. */
  @Test
  @DisplayName("So does the message of a failure")
  void failures() {
    assertThat(FailureText.describe(new IOException(HOSTILE))).isEqualTo("a?[2Jb?c?d e f");
    assertThat(FailureText.describe(new NoSuchFileException("\u001b"))).isEqualTo("No such file: ?");
  }

  /** Fails if a command asks picocli for its output. */
  @Test
  @DisplayName("Each command prints by Printable, or JSON")
  void commands() throws IOException {
    Set<String> may = Set.of("Printable.java", "JsonSwitch.java", "Terminal.java", "Main.java");
    for (String module : List.of(".", "../examples")) {
      try (Stream<Path> all = Files.walk(Path.of(module, "src", "main", "java"))) {
        List<String> others = all.filter(Files::isRegularFile)
            .filter(file -> !may.contains(file.getFileName().toString()))
            .filter(file -> read(file).contains("getOut()")).map(Path::toString).toList();
        assertThat(others).isEmpty();
      }
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
