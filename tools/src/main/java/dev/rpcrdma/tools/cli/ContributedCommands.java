// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.cli;

import dev.rpcrdma.tools.command.CommandProvider;
import dev.rpcrdma.tools.command.FailureText;
import dev.rpcrdma.verbs.base.FoundServices;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Adds commands of other modules. A command that cannot be added is named on stderr, and affects no other one. */
final class ContributedCommands {

  private ContributedCommands() {}

  static void addTo(CommandLine line, Iterable<CommandProvider> providers) {
    FoundServices.each(providers.iterator(), provider -> provider.commands().forEach(command -> add(line, command)),
        failure -> tell(line, "Commands are left out", failure));
  }

  private static void add(CommandLine line, Class<?> command) {
    try {
      CommandLine added = new CommandLine(command);
      make(added);
      for (String name : added.getCommandSpec().names()) {
        if (line.getSubcommands().containsKey(name)) {
          // Picocli would let the new one take the place of the other one.
          throw new IllegalStateException("there is a command '" + name + "' already");
        }
      }
      add(line, added);
    } catch (RuntimeException | LinkageError e) {
      tell(line, "The command of " + command + " is left out", e);
    }
  }

  /** Makes a command, and those below it. Picocli makes each when it is asked for: by its user, or for completion. */
  private static void make(CommandLine command) {
    command.getCommandSpec().userObject();
    command.getSubcommands().values().forEach(ContributedCommands::make);
  }

  private static void add(CommandLine line, CommandLine added) {
    String name = added.getCommandName();
    if (name.isBlank() || name.equals(CommandSpec.create().name())) {
      throw new IllegalStateException("it has no name");
    }
    try {
      line.addSubcommand(name, added);
    } catch (RuntimeException e) {
      // Picocli finds only behind this what does not go with options of all commands.
      line.getCommandSpec().removeSubcommand(name);
      throw e;
    }
  }

  private static void tell(CommandLine line, String what, Throwable why) {
    line.getErr().println("rpcrdma: " + what + ": " + FailureText.describe(why));
  }
}
