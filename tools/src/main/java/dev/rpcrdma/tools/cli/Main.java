// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.cli;

import dev.rpcrdma.tools.command.CommandProvider;
import dev.rpcrdma.tools.command.Ending;
import dev.rpcrdma.tools.command.FailureText;
import dev.rpcrdma.tools.command.Printable;
import dev.rpcrdma.tools.command.Terminal;
import java.util.Arrays;
import java.util.ServiceLoader;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** {@code ./rpcrdma}: remote procedure calls over RDMA from the command line. */
@Command(
    name = "rpcrdma",
    description = "Remote procedure calls over RDMA for Vert.x.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {NewCommand.class, PingCommand.class, InfoCommand.class, RpingCommand.class, ClusterCommand.class,
        DecodeCommand.class, DoctorCommand.class, DevicesCommand.class, HelpCommand.class,
        AutoComplete.GenerateCompletion.class},
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {"0:success", "1:the command failed, with one line that says why",
        "2:the command line is wrong"})
final class Main {

  @Option(names = "--verbose", scope = ScopeType.INHERIT,
      description = "If something fails, print where in the program, too.")
  private boolean verbose;

  private Main() {}

  /**
   * Runs a command and ends the process with its exit status.
   *
   * @param arguments the command and its options
   */
  public static void main(String[] arguments) {
    CommandLine line = commandLine();
    StandardOutput output = new StandardOutput();
    line.setOut(output.writer());
    if (Arrays.stream(arguments).noneMatch(each -> each.startsWith("--json"))) {
      Terminal.fit(line);
    }
    int status = line.execute(arguments);
    line.getOut().flush();
    System.exit(output.status(status));
  }

  static CommandLine commandLine() {
    Main main = new Main();
    CommandLine all = new CommandLine(main);
    ContributedCommands.addTo(all, ServiceLoader.load(CommandProvider.class));
    Version.giveToCommands(all);
    all.setExecutionExceptionHandler((e, line, result) -> {
      if (Ending.hasBegun()) {
        return CommandLine.ExitCode.SOFTWARE;
      }
      line.getErr().println("rpcrdma: " + FailureText.describe(e));
      if (main.verbose) {
        e.printStackTrace(Printable.lines(line.getErr()));
      }
      return CommandLine.ExitCode.SOFTWARE;
    });
    all.setParameterExceptionHandler(new WrongCommandLine());
    NumberRanges.hold(all);
    return all;
  }
}
