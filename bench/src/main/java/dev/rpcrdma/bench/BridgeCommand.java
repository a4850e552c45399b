// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench;

import dev.rpcrdma.bench.bridge.BridgeBench;
import dev.rpcrdma.bench.bridge.BridgePeer;
import dev.rpcrdma.bench.measure.Figure;
import dev.rpcrdma.bench.measure.PeerProcess;
import dev.rpcrdma.bench.measure.Stopwatch;
import dev.rpcrdma.bench.nodes.NodesBench;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * Messages over a bridge beside those of a clustered event bus, and a service over RDMA beside itself over that; and
 * what the nodes of a cluster cost that keep replies together, and how long the loss of one is felt.
 */
@Command(name = "bridge", mixinStandardHelpOptions = true,
    description = "Requests of 128 bytes, 4 KiB and 1 MiB, there and back, over a bridge between two event buses, in"
        + " turn with the same over one event bus that Hazelcast clusters; and 128-byte calls of a @ProxyGen service by"
        + " its proxy over RDMA, in turn with its proxy over the clustered event bus. Two JVMs on loopback. Then calls"
        + " to two nodes, of which one is killed, each time in processes of their own.")
final class BridgeCommand implements Callable<Integer> {

  private static final int[] SIZES = {128, 4096, 1 << 20};
  private static final String[] NAMES = {"128", "4k", "1m"};
  private static final int[] OUTSTANDING = {64, 64, 4};
  private static final int TURNS = 8;
  /** Calls and median of each size over both ways, and the calls of the service over both. */
  private static final int LAPS = 2 * 2 * 3 + 2;

  @Mixin
  private RunOptions options;

  /** By size, way (clustered, bridged) and repetition. */
  private double[][][] calls;
  private double[][][] p50;
  /** By way (event bus, RDMA) and repetition. */
  private double[][] service;
  /** By way (plain, replicated) and repetition. */
  private double[][] replicated;
  /** By way (looking, replicated, Hazelcast) and repetition. */
  private double[][] loss;

  @Override
  public Integer call() throws Exception {
    try (PeerProcess peer = PeerProcess.start(BridgePeer.class);
        BridgeBench bench = new BridgeBench(peer.port(0), peer.port(1))) {
      measure(bench, 1, (double) options.warmUp / LAPS);
      measure(bench, options.repetitions, options.seconds);
    }
    measureNodes(options.repetitions, options.seconds);
    options.publish(report());
    return 0;
  }

  private void measure(BridgeBench bench, int times, double seconds) throws IOException {
    calls = new double[SIZES.length][2][times];
    p50 = new double[SIZES.length][2][times];
    service = new double[2][times];
    for (int i = 0; i < times; i++) {
      int repetition = i;
      for (int each = 0; each < SIZES.length; each++) {
        int size = each;
        Turns.take(TURNS, 2, way -> {
          calls[size][way][repetition] += lap(bench, way, size, OUTSTANDING[size], seconds).perSecond() / TURNS;
          p50[size][way][repetition] += lap(bench, way, size, 1, seconds).p50Micros() / TURNS;
        });
      }
      Turns.take(TURNS, 2, way -> service[way][repetition] += (way == 0
          ? bench.serviceOverEventBus(SIZES[0], OUTSTANDING[0], seconds / TURNS)
          : bench.serviceOverRdma(SIZES[0], OUTSTANDING[0], seconds / TURNS)).perSecond() / TURNS);
    }
  }

  private static Stopwatch.Lap lap(BridgeBench bench, int way, int size, int outstanding, double seconds) {
    return way == 0 ? bench.clustered(SIZES[size], outstanding, seconds / TURNS)
        : bench.bridged(SIZES[size], outstanding, seconds / TURNS);
  }

  private void measureNodes(int times, double seconds) throws Exception {
    replicated = new double[2][times];
    loss = new double[3][times];
    for (int i = 0; i < times; i++) {
      int repetition = i;
      try (NodesBench bench = new NodesBench()) {
        bench.replicated(seconds);
        Turns.take(TURNS, 2, way -> replicated[way][repetition] += (way == 0 ? bench.plain(seconds / TURNS)
            : bench.replicated(seconds / TURNS)).p50Micros() / TURNS);
        NodesBench.Loss lost = bench.lose();
        loss[0][i] = lost.looking();
        loss[1][i] = lost.replicatedCalls();
        loss[2][i] = lost.hazelcast();
      }
    }
  }

  private Report report() {
    Report report = options.report("bridge");
    for (int size = 0; size < SIZES.length; size++) {
      String name = NAMES[size];
      report.add(new Figure("clustered_calls_" + name, "1/s", calls[size][0]));
      report.add(new Figure("bridge_calls_" + name, "1/s", calls[size][1]));
      report.add(Figure.ratio("bridge_calls_ratio_" + name, calls[size][1], calls[size][0]));
      report.add(new Figure("clustered_p50_" + name, "us", p50[size][0]));
      report.add(new Figure("bridge_p50_" + name, "us", p50[size][1]));
      report.add(Figure.ratio("bridge_p50_ratio_" + name, p50[size][1], p50[size][0]));
    }
    report.add(new Figure("event_bus_service_calls_128", "1/s", service[0]));
    report.add(new Figure("direct_calls_128", "1/s", service[1]));
    report.add(Figure.ratio("direct_calls_ratio_128", service[1], service[0]));
    report.add(new Figure("cluster_call_p50", "us", replicated[0]));
    report.add(new Figure("replicated_call_p50", "us", replicated[1]));
    report.add(Figure.difference("replicated_reply_cost_us", "us", replicated[1], replicated[0]));
    report.add(new Figure("failover_ms", "ms", loss[0]));
    report.add(new Figure("replicated_failover_ms", "ms", loss[1]));
    report.add(new Figure("hazelcast_failover_ms", "ms", loss[2]));
    report.add(Figure.ratio("failover_ratio", loss[0], loss[2]));
    return report;
  }
}
