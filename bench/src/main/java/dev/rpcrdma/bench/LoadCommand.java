// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench;

import dev.rpcrdma.bench.load.Connections;
import dev.rpcrdma.bench.load.OpenLoop;
import dev.rpcrdma.bench.load.Own;
import dev.rpcrdma.bench.measure.CpuTime;
import dev.rpcrdma.bench.measure.Figure;
import dev.rpcrdma.bench.measure.PeerProcess;
import dev.rpcrdma.bench.measure.Stopwatch;
import dev.rpcrdma.bench.measure.Waits;
import dev.rpcrdma.bench.peers.ClusteredEventBus;
import dev.rpcrdma.bench.peers.GrpcJava;
import dev.rpcrdma.bench.peers.OncRpc4j;
import dev.rpcrdma.bench.peers.RpcPeer;
import dev.rpcrdma.bench.peers.VertxGrpc;
import dev.rpcrdma.bench.rpc.PollingPeer;
import dev.rpcrdma.bench.rpc.RpcBenchPeer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Small calls of each system: over several connections, at given rates, and their price. */
@Command(name = "load", mixinStandardHelpOptions = true,
    description = "128-byte calls over siw, with and without busy polling, and by oncrpc4j, grpc-java, Vert.x gRPC "
        + "and a clustered event bus: 64 at a time over 1, 2 and 4 connections; then each call at its time, 10 000 in "
        + "a second, and a quarter, a half and three quarters of the rate that one connection has reached; and the "
        + "CPU time of both processes for a call. Two JVMs on loopback.")
final class LoadCommand implements Callable<Integer> {

  private static final int OUTSTANDING = 64;
  private static final int[] CONNECTIONS = {1, 2, 4};
  private static final int MOST = CONNECTIONS[CONNECTIONS.length - 1];
  /** Calls in a second, of all systems alike. */
  private static final int RATE = 10_000;
  /** Of the measured rate, in percent. */
  private static final int[] LOADS = {25, 50, 75};
  private static final Map<String, Double> PERCENTILES =
      new TreeMap<>(Map.of("p50", 50.0, "p99", 99.0, "p99.9", 99.9));

  @Mixin
  private RunOptions options;

  @Option(names = "--svg", paramLabel = "FILE", description = "Draw the figures.")
  private Path svg;

  private final Map<String, double[]> values = new LinkedHashMap<>();
  private final Map<String, String> units = new LinkedHashMap<>();
  private final List<String> names = new ArrayList<>();
  private final List<Connections> systems = new ArrayList<>();
  private PeerProcess peer;
  private int times;

  @Override
  public Integer call() throws Exception {
    try (PeerProcess process = PeerProcess.start(RpcBenchPeer.class)) {
      peer = process;
      add("siw", () -> new Own(peer.port(0), new JsonObject()));
      add("siw_polling", () -> new Own(peer.port(7), PollingPeer.AWAKE));
      add("oncrpc4j", () -> new OncRpc4j(peer.port(3)));
      add("grpc", () -> new GrpcJava(peer.port(4)));
      add("vertx_grpc", () -> new VertxGrpc(peer.port(5)));
      add("event_bus", () -> new ClusteredEventBus(peer.port(6)));
      int laps = systems.size() * (CONNECTIONS.length + 1 + LOADS.length);
      measure(1, (double) options.warmUp / laps);
      values.clear();
      measure(options.repetitions, options.seconds);
      for (Connections system : systems) {
        system.close();
      }
    }
    Report report = options.report("load");
    values.forEach((id, all) -> report.add(new Figure(id, units.get(id), all)));
    options.publish(report);
    if (svg != null) {
      LoadPicture.write(svg, names, report);
    }
    return 0;
  }

  private void add(String name, Callable<RpcPeer> made) throws Exception {
    names.add(name);
    systems.add(new Connections(MOST, made));
  }

  private void measure(int repetitions, double seconds) throws IOException, TimeoutException {
    times = repetitions;
    for (int i = 0; i < repetitions; i++) {
      long cpu = cpu();
      Waits.sleep(seconds);
      put("idle_cpu", "us/s", i, (cpu() - cpu) / 1000.0 / seconds);
      for (int system = 0; system < systems.size(); system++) {
        measure(names.get(system), systems.get(system), i, seconds);
      }
    }
  }

  private void measure(String name, Connections system, int repetition, double seconds)
      throws IOException, TimeoutException {
    double rate = 0;
    for (int connections : CONNECTIONS) {
      long cpu = cpu();
      Stopwatch.Lap lap = Waits.await(
          Stopwatch.lap(system.echo(connections), OUTSTANDING, Stopwatch.nanos(seconds)));
      String id = name + "_" + connections + "_connections";
      put(id + "_calls", "1/s", repetition, lap.perSecond());
      put(id + "_cpu", "us", repetition, (cpu() - cpu) / 1000.0 / lap.operations());
      rate = connections == 1 ? lap.perSecond() : rate;
    }
    measure(name + "_rate_" + RATE, system, repetition, seconds, RATE);
    for (int load : LOADS) {
      measure(name + "_load_" + load, system, repetition, seconds, rate * load / 100);
    }
  }

  private void measure(String id, Connections system, int repetition, double seconds, double rate)
      throws IOException, TimeoutException {
    long cpu = cpu();
    OpenLoop.Result result = OpenLoop.run(system.echo(1), rate, seconds);
    PERCENTILES.forEach((quantile, percentile) ->
        put(id + "_" + quantile, "us", repetition, result.micros(percentile)));
    put(id + "_cpu", "us", repetition, (cpu() - cpu) / 1000.0 / result.operations());
  }

  private long cpu() throws IOException {
    return CpuTime.nanos() + Long.parseLong(peer.ask("cpu"));
  }

  private void put(String id, String unit, int repetition, double value) {
    units.put(id, unit);
    values.computeIfAbsent(id, name -> new double[times])[repetition] = value;
  }
}
