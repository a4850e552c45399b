// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.cli;

import dev.rpcrdma.api.rpcbind.Rpcbind;
import dev.rpcrdma.api.rpcbind.RpcbindOptions;
import dev.rpcrdma.protocol.rpcbind.Rpcb;
import dev.rpcrdma.tools.command.Futures;
import dev.rpcrdma.tools.command.JsonSwitch;
import dev.rpcrdma.tools.command.Printable;
import dev.rpcrdma.tools.command.RunningVertx;
import dev.rpcrdma.tools.command.Within;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.SocketAddress;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Lists what a host has registered with its rpcbind. */
@Command(
    name = "info",
    description = "List the programs that a host has registered with its rpcbind: versions, netids, addresses and "
        + "owners. rdma and rdma6 are those of RDMA. Linux's NFS server is at port 20049 of RDMA also where nothing is "
        + "registered for these; ping finds that out.")
final class InfoCommand implements Callable<Integer> {

  @Option(names = {"-h", "--help"}, usageHelp = true, description = "Show this help and exit.")
  private boolean help;

  @Parameters(index = "0", paramLabel = "HOST[:PORT]", converter = RpcbindHost.class,
      description = "The host, and the port of its rpcbind if it is not 111.")
  private SocketAddress address;

  @Within(from = 1, to = Within.DAY)
  @Option(names = "--timeout", defaultValue = "5", paramLabel = "SECONDS",
      description = "How long an answer may take; default ${DEFAULT-VALUE}.")
  private int seconds;

  @Mixin
  private JsonSwitch json;

  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    try (RunningVertx running = new RunningVertx(false)) {
      List<Rpcb> all = Futures.await(Rpcbind.of(running.vertx(), address,
          RpcbindOptions.DEFAULT.withTimeout(Duration.ofSeconds(seconds))).dump());
      if (json.asked()) {
        json.print(toJson(all));
      } else {
        print(all);
      }
    }
    return 0;
  }

  private void print(List<Rpcb> all) {
    PrintWriter out = Printable.out(spec);
    out.printf(Locale.ROOT, "%-10s %-12s %7s %-6s %-28s %s%n", "program", "name", "version", "netid", "address",
        "owner");
    for (Rpcb each : all) {
      out.printf(Locale.ROOT, "%-10s %-12s %7s %-6s %-28s %s%n", KnownPrograms.number(each.program()),
          KnownPrograms.name(each.program()), Integer.toUnsignedString(each.version()), shown(each.netid()),
          shown(each.address()), shown(each.owner()));
    }
    long rdma = all.stream().filter(each -> each.netid().startsWith("rdma")).count();
    out.printf(Locale.ROOT, "%d registrations, %d of them for RDMA%n", all.size(), rdma);
  }

  /** An object for each, in the order of the host; without a name where nobody knows one. */
  private static JsonArray toJson(List<Rpcb> all) {
    JsonArray array = new JsonArray();
    for (Rpcb each : all) {
      JsonObject json = new JsonObject().put("program", Integer.toUnsignedLong(each.program()));
      KnownPrograms.find(each.program()).ifPresent(name -> json.put("name", name));
      array.add(json.put("version", Integer.toUnsignedLong(each.version())).put("netid", each.netid())
          .put("address", each.address()).put("owner", each.owner()));
    }
    return array;
  }

  private static String shown(String text) {
    return text.isEmpty() ? "-" : text;
  }
}
