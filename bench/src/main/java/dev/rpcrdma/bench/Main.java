// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code bench/run}: measurements side by side. */
@Command(name = "bench/run", mixinStandardHelpOptions = true,
    description = "Measure vertx-rpcrdma beside others.",
    subcommands = {BridgeCommand.class, ClientsCommand.class, ConnectCommand.class,
        ConnectionsCommand.class, DeviceCommand.class, IbverbsCommand.class, IdleCommand.class,
        LoadCommand.class, ObserveCommand.class, OverloadCommand.class, PollingCommand.class, RepliesCommand.class,
        RpcCommand.class, SecurityCommand.class, SoakCommand.class, VerbsCommand.class},
    synopsisSubcommandLabel = "NAME")
final class Main {

  private Main() {}

  /**
   * Runs a bench and ends the process with its exit status.
   *
   * @param arguments its name and options
   */
  public static void main(String[] arguments) {
    System.exit(new CommandLine(new Main()).execute(arguments));
  }
}
