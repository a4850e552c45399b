// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench;

import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.bench.measure.CpuTime;
import dev.rpcrdma.bench.measure.Figure;
import dev.rpcrdma.bench.measure.PeerProcess;
import dev.rpcrdma.bench.measure.Stopwatch;
import dev.rpcrdma.bench.rpc.ConnectionsPeer;
import dev.rpcrdma.bench.rpc.RpcBench;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Small calls over channels with several connections. */
@Command(name = "connections", mixinStandardHelpOptions = true,
    description = "128-byte calls over siw, 64 at a time and 512 at a time, over one channel with 1, 2 and 4 "
        + "connections, to a server with 4 event loops, and their price. Two JVMs on loopback.")
final class ConnectionsCommand implements Callable<Integer> {

  private static final int[] CONNECTIONS = {1, 2, 4};
  private static final int[] OUTSTANDING = {64, 512};

  @Mixin
  private RunOptions options;

  private PeerProcess peer;

  @Override
  public Integer call() throws IOException {
    Report report = options.report("connections");
    try (PeerProcess process = PeerProcess.start(ConnectionsPeer.class)) {
      peer = process;
      List<RpcBench> benches = new ArrayList<>();
      for (int connections : CONNECTIONS) {
        benches.add(new RpcBench(peer.port(0), new RpcClientOptions().setConnections(connections)));
      }
      int laps = CONNECTIONS.length * OUTSTANDING.length;
      measure(benches, 1, (double) options.warmUp / laps);
      measure(benches, options.repetitions, options.seconds).forEach(report::add);
      benches.forEach(RpcBench::close);
    }
    options.publish(report);
    return 0;
  }

  private List<Figure> measure(List<RpcBench> benches, int times, double seconds) throws IOException {
    int count = CONNECTIONS.length * OUTSTANDING.length;
    double[][] calls = new double[count][times];
    double[][] cpu = new double[count][times];
    for (int i = 0; i < times; i++) {
      for (int which = 0; which < count; which++) {
        long before = cpu();
        Stopwatch.Lap lap = benches.get(which % CONNECTIONS.length)
            .calls(OUTSTANDING[which / CONNECTIONS.length], seconds);
        calls[which][i] = lap.perSecond();
        cpu[which][i] = (cpu() - before) / 1000.0 / lap.operations();
      }
    }
    List<Figure> figures = new ArrayList<>();
    for (int which = 0; which < count; which++) {
      String id = CONNECTIONS[which % CONNECTIONS.length] + "_connections_"
          + OUTSTANDING[which / CONNECTIONS.length];
      figures.add(new Figure(id + "_calls", "1/s", calls[which]));
      figures.add(new Figure(id + "_cpu", "us", cpu[which]));
    }
    return figures;
  }

  private long cpu() throws IOException {
    return CpuTime.nanos() + Long.parseLong(peer.ask("cpu"));
  }
}
