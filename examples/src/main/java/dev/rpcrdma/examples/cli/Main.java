// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.cli;

import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;

/** {@code ./rpcrdma}: remote procedure calls over RDMA from the command line. */
@Command(
    name = "rpcrdma",
    description = "Remote procedure calls over RDMA for Vert.x.",
    mixinStandardHelpOptions = true,
    version = "vertx-rpcrdma 0.1.0",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {DemoCommand.class, RangesCommand.class, DeskCommand.class, PingCommand.class, InfoCommand.class,
        RpingCommand.class,
        Nfs3Command.class, ClusterCommand.class, DecodeCommand.class, DoctorCommand.class, DevicesCommand.class,
        HelpCommand.class,
        AutoComplete.GenerateCompletion.class},
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {"0:success", "1:the command failed, with one line that says why",
        "2:the command line is wrong"})
final class Main {

  private Main() {}

  /**
   * Runs a command and ends the process with its exit status.
   *
   * @param arguments the command and its options
   */
  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  static CommandLine commandLine() {
    return new CommandLine(new Main()).setExecutionExceptionHandler((e, line, result) -> {
      line.getErr().println("rpcrdma: " + Failures.describe(e));
      return CommandLine.ExitCode.SOFTWARE;
    });
  }
}
