// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.desk.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.tools.cli.Commands;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A day at the desk as it is printed. */
@Tag("slow")
class DeskCommandTest {

  private final Commands commands = new Commands();

  @Test
  @DisplayName("The day is played to its end, and prints what the manual shows")
  void day() throws IOException {
    int status = commands.run("desk");
    assertThat(commands.err()).isEmpty();
    assertThat(status).isZero();
    assertThat(Files.readString(Path.of("../docs/desk.md"))).contains("```text\n" + commands.out() + "```\n");
  }
}
