// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/** Versions that commands print. */
class VersionTest {

  @Command(name = "all", subcommands = {Without.class, With.class, Provided.class})
  static final class All {}

  @Command(name = "without", mixinStandardHelpOptions = true)
  static final class Without {}

  @Command(name = "with", mixinStandardHelpOptions = true, version = "its own")
  static final class With {}

  @Command(name = "provided", mixinStandardHelpOptions = true, versionProvider = Unknown.class)
  static final class Provided {}

  static final class Unknown implements IVersionProvider {

    private int asked;

    @Override
    public String[] getVersion() {
      return asked++ > 0 ? new String[] {"asked"} : new String[0];
    }
  }

  private static String printed(String command) {
    StringWriter out = new StringWriter();
    CommandLine line = new CommandLine(new All()).setOut(new PrintWriter(out, true));
    Version.giveToCommands(line);
    assertThat(line.execute(command, "--version")).isZero();
    return out.toString();
  }

  /** Fails if {@code Version.giveToCommands} asks a provider, takes its place, or that of a text. */
  @Test
  @DisplayName("A command without a version has that of the command line, and one with a version keeps it")
  void version() {
    assertThat(printed("without")).startsWith("vertx-rpcrdma ");
    assertThat(printed("with")).isEqualTo("its own\n");
    assertThat(printed("provided")).isEmpty();
  }
}
