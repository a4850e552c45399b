// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A project to begin with, and what the command line says of itself. */
class NewCommandTest {

  private static final Path HELLO = Path.of("../consumer/src/it/hello");

  private final Commands commands = new Commands();
  @TempDir
  private Path folder;

  /** All files of a folder, by their paths within it. */
  private static List<Path> files(Path root) throws IOException {
    try (Stream<Path> all = Files.walk(root)) {
      return all.filter(Files::isRegularFile).map(root::relativize).sorted().toList();
    }
  }

  /** Fails if {@code NewCommand.FILES} lacks a file of the project that each build builds. */
  @Test
  @DisplayName("new writes the project that is built and run of installed artifacts, and says how")
  void written() throws IOException {
    Path target = folder.resolve("mine");
    assertThat(commands.run("new", target.toString())).as(commands.err()).isZero();
    assertThat(files(target)).isEqualTo(files(HELLO));
    for (Path file : files(HELLO)) {
      assertThat(target.resolve(file)).hasSameTextualContentAs(HELLO.resolve(file));
    }
    assertThat(commands.out()).contains("cd " + target).contains("mvn -q compile dependency:copy-dependencies")
        .contains("hello.Main");
  }

  /** Fails if {@code NewCommand.quoted} gives the folder as it is. */
  @ParameterizedTest
  @ValueSource(strings = {"it's here", "$HOME `id` \"x\"", "a & b", "-x"})
  @DisplayName("A shell takes the line that changes to the folder, whatever its name")
  void shell(String name) throws Exception {
    Path target = folder.resolve(name);
    assertThat(commands.run("new", target.toString())).isZero();
    String line = commands.out().lines().filter(each -> each.startsWith("  cd ")).findFirst().orElseThrow();
    ProcessBuilder builder = new ProcessBuilder("/bin/sh", "-c", line + " && ls");
    Process shell = builder.redirectErrorStream(true).start();
    assertThat(new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8)).isEqualTo("pom.xml\nsrc\n");
    assertThat(shell.waitFor()).isZero();
  }

  /** Fails if {@code NewCommand.requireEmpty} looks at nothing. */
  @Test
  @DisplayName("new writes over nothing: an empty folder will do, any other is left as it is")
  void occupied() throws IOException {
    Path file = Files.writeString(folder.resolve("mine.txt"), "mine");
    for (Path taken : List.of(folder, file)) {
      Commands refused = new Commands();
      assertThat(refused.run("new", taken.toString())).isOne();
      assertThat(refused.err()).startsWith("rpcrdma: " + taken).hasLineCount(1);
    }
    assertThat(files(folder)).containsExactly(Path.of("mine.txt"));
    Path empty = Files.createDirectory(folder.resolve("empty"));
    assertThat(commands.run("new", empty.toString())).isZero();
  }

  /** Fails if version.properties is not filtered. */
  @Test
  @DisplayName("--version is the pom's")
  void version() throws IOException {
    assertThat(commands.run("--version")).isZero();
    String version = Files.readAllLines(Path.of("../pom.xml")).stream().filter(line -> line.startsWith("  <version>"))
        .findFirst().orElseThrow().replaceAll("</?version>", "").trim();
    assertThat(commands.out()).startsWith("vertx-rpcrdma " + version + "\n");
  }

  /** Fails if {@code Main.commandLine} prints stack traces to all, or to nobody. */
  @Test
  @DisplayName("Where something has failed is printed with --verbose alone; a command that is misspelled is guessed")
  void verbose() {
    assertThat(commands.run("decode", "none.pcapng")).isOne();
    assertThat(commands.err()).isEqualTo("rpcrdma: No such file: none.pcapng\n");
    Commands more = new Commands();
    assertThat(more.run("decode", "--verbose", "none.pcapng")).isOne();
    assertThat(more.err()).startsWith("rpcrdma: No such file: none.pcapng\n").contains("\tat ");
    Commands misspelled = new Commands();
    assertThat(misspelled.run("dcode", "none.pcapng")).isEqualTo(2);
    assertThat(misspelled.err()).contains("Did you mean").contains("decode");
  }
}
