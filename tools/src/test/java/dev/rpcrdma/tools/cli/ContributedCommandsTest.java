// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.tools.command.CommandProvider;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceConfigurationError;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Commands from elsewhere, good and bad. */
class ContributedCommandsTest {

  @Command(name = "good")
  static final class Good {}

  @Command(name = "ping")
  static final class Taken {}

  @Command(name = "last")
  static final class Last {}

  private final StringWriter told = new StringWriter();
  private final CommandLine line = Main.commandLine().setErr(new PrintWriter(told, true));

  /** Fails if {@code ContributedCommands} ends with the first one that cannot be added, or says nothing of it. */
  @Test
  @DisplayName("A command that cannot be added is told, and keeps no other from being added")
  void eachByItself() {
    ContributedCommands.addTo(line, List.of(() -> List.of(Good.class, Taken.class, String.class),
        () -> {
          throw new IllegalArgumentException("no list");
        }, () -> List.of(Last.class)));
    assertThat(line.getSubcommands()).containsKeys("good", "ping", "last");
    assertThat(line.getSubcommands().get("ping").<Object>getCommand()).isInstanceOf(PingCommand.class);
    assertThat(told.toString().lines()).allMatch(each -> each.startsWith("rpcrdma: ")).hasSize(3)
        .anyMatch(each -> each.contains("Taken is left out: ") && each.contains("ping"))
        .anyMatch(each -> each.contains("String is left out: "))
        .anyMatch(each -> each.equals("rpcrdma: Commands are left out: no list"));
  }

  /** Fails if {@code ContributedCommands.addTo} asks for the next one outside of what it catches. */
  @Test
  @DisplayName("A provider that cannot be loaded is told, and the next one is asked")
  void unloadable() {
    Iterator<CommandProvider> providers = new Iterator<>() {

      private int asked;

      @Override
      public boolean hasNext() {
        if (asked++ == 0) {
          throw new ServiceConfigurationError("no such class");
        }
        return asked == 2;
      }

      @Override
      public CommandProvider next() {
        return () -> List.of(Last.class);
      }
    };
    ContributedCommands.addTo(line, () -> providers);
    assertThat(line.getSubcommands()).containsKey("last");
    assertThat(told.toString()).isEqualTo("rpcrdma: Commands are left out: no such class\n");
  }
}
