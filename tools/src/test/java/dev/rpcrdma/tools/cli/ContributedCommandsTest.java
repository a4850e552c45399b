// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.tools.command.CommandProvider;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Commands from elsewhere, good and bad. */
class ContributedCommandsTest {

  @Command(name = "good")
  static final class Good {}

  @Command(name = "ping")
  static final class Taken {}

  @Command(name = "last")
  static final class Last {}

  @Command(name = "help")
  static final class OtherHelp {}

  @Command(name = "generate-completion")
  static final class OtherCompletion {}

  @Command(name = "other", aliases = "ping")
  static final class TakenAlias {}

  @Command(name = "loud")
  static final class TakenOption {

    @Option(names = "--verbose")
    private boolean loud;
  }

  @Command(name = "unmade")
  static final class Unmade {

    Unmade(int any) {}
  }

  @Command(name = "unmade-below", subcommands = Unmade.class)
  static final class UnmadeBelow {}

  @Command
  static final class Nameless {}

  @Command(name = "")
  static final class EmptyName {}

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

  /** Fails if {@code ContributedCommands.add} looks at the first name alone, or leaves what picocli has added half. */
  @ParameterizedTest
  @ValueSource(classes = {Taken.class, OtherHelp.class, OtherCompletion.class, TakenAlias.class, TakenOption.class,
      Unmade.class, UnmadeBelow.class, Nameless.class, EmptyName.class})
  @DisplayName("A command that is left out changes nothing")
  void nothingOfIt(Class<?> wrong) {
    Map<String, CommandLine> before = Map.copyOf(line.getSubcommands());
    ContributedCommands.addTo(line, List.of(() -> List.of(wrong)));
    assertThat(line.getSubcommands()).isEqualTo(before);
    assertThat(told.toString().lines()).singleElement().asString()
        .startsWith("rpcrdma: The command of " + wrong + " is left out: ");
    assertThat(line.setOut(new PrintWriter(told)).execute("ping", "--help")).isZero();
    assertThat(told.toString()).contains("Usage: rpcrdma ping ");
  }

  /** Fails if {@code ContributedCommands.add} cannot say which command is left out. */
  @Test
  void none() {
    ContributedCommands.addTo(line, List.of(() -> Arrays.asList(null, Last.class)));
    assertThat(line.getSubcommands()).containsKey("last");
    assertThat(told.toString().lines()).singleElement().asString()
        .startsWith("rpcrdma: The command of null is left out: ");
  }

  /** Fails if {@code Main} adds commands of its own behind those from elsewhere. */
  @Test
  @DisplayName("Commands from elsewhere are listed behind all others")
  void behindAllOthers() {
    ContributedCommands.addTo(line, List.of(() -> List.of(Last.class, Good.class)));
    assertThat(List.copyOf(line.getSubcommands().keySet())).endsWith("help", "generate-completion", "last", "good");
  }

  /** Fails if {@code FoundServices.each} asks for the next one outside of what it catches. */
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
