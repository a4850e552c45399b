// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.cli;

import dev.rpcrdma.tools.command.Printable;
import dev.rpcrdma.tools.command.Table;
import dev.rpcrdma.verbs.DeviceAttributes;
import dev.rpcrdma.verbs.DeviceDescription;
import dev.rpcrdma.verbs.VerbsProvider;
import dev.rpcrdma.verbs.VerbsProviders;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists the devices of this machine, and what each can do. */
@Command(
    name = "devices",
    description = "List the RDMA devices that can be used here, and what each can do. 'doctor' says why there are no"
        + " more.")
final class DevicesCommand implements Callable<Integer> {

  @Option(names = {"-h", "--help"}, usageHelp = true, description = "Show this help and exit.")
  private boolean help;

  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() {
    Table table = new Table(Printable.out(spec));
    for (VerbsProvider provider : VerbsProviders.all()) {
      for (DeviceDescription device : provider.devices()) {
        print(table, provider.name(), device);
      }
    }
    return 0;
  }

  private static void print(Table table, String provider, DeviceDescription device) {
    DeviceAttributes can = device.attributes();
    table.line(provider + " " + device.name());
    table.row("  what it is", device.text());
    table.row("  addresses", can.hosts().isEmpty() ? "not known" : String.join(", ", can.hosts()));
    table.row("  queue depths", "send " + can.maxSendQueueDepth() + ", receive " + can.maxReceiveQueueDepth());
    table.row("  Reads at a time", "of this side " + can.maxOutboundReads() + ", of the peer " + can.maxInboundReads()
        + (can.readsNegotiated() ? ", negotiated" : ", as each side asks"));
    table.row("  longest message", can.maxMessageSize());
    table.row("  private data", "connect " + can.connectPrivateData() + ", accept " + can.acceptPrivateData()
        + ", reject " + can.rejectPrivateData() + " bytes" + (can.privateDataPadded() ? ", padded with zeros" : ""));
    table.row("  remote invalidation", can.remotelyInvalidatable() ? "yes" : "no");
    table.row("  revocation", can.promptRevocation() ? "at once" : "behind a Read that is being served");
  }
}
