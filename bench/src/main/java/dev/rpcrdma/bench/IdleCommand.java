// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench;

import dev.rpcrdma.bench.measure.Figure;
import dev.rpcrdma.bench.measure.Footprint;
import dev.rpcrdma.bench.measure.PeerProcess;
import dev.rpcrdma.bench.rpc.IdleRpc;
import dev.rpcrdma.bench.rpc.IdleRpcPeer;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The memory of connections that do nothing. */
@Command(name = "idle", mixinStandardHelpOptions = true,
    description = "Memory of each end of RPC connections over siw that have made one call and are idle. "
        + "Two JVMs on loopback.")
final class IdleCommand implements Callable<Integer> {

  /** Loads what every connection uses. */
  private static final int FIRST = 100;

  @Option(names = "--connections", defaultValue = "10000",
      description = "How many; default ${DEFAULT-VALUE}.")
  private int connections;

  @Mixin
  private ReportOutput output;

  @Override
  public Integer call() throws IOException {
    Report report = new Report("idle", "bench/run idle --connections " + connections, 1, 0, 0);
    try (PeerProcess peer = PeerProcess.start(IdleRpcPeer.class); IdleRpc clients = new IdleRpc(peer.port(0))) {
      clients.open(FIRST);
      long client = Footprint.bytes();
      long server = Long.parseLong(peer.ask("footprint"));
      clients.open(connections);
      report.add(figure("idle_rpc_client_bytes", Footprint.bytes() - client));
      report.add(figure("idle_rpc_server_bytes", Long.parseLong(peer.ask("footprint")) - server));
    }
    output.publish(report);
    return 0;
  }

  private Figure figure(String id, long bytes) {
    return Figure.of(id, "bytes", (double) bytes / connections);
  }
}
