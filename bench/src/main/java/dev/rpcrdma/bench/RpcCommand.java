// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench;

import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.bench.measure.Allocations;
import dev.rpcrdma.bench.measure.Baselines;
import dev.rpcrdma.bench.measure.Figure;
import dev.rpcrdma.bench.measure.PeerProcess;
import dev.rpcrdma.bench.measure.Stopwatch;
import dev.rpcrdma.bench.peers.ClusteredEventBus;
import dev.rpcrdma.bench.peers.GrpcJava;
import dev.rpcrdma.bench.peers.OncRpc4j;
import dev.rpcrdma.bench.peers.RpcPeer;
import dev.rpcrdma.bench.peers.VertxGrpc;
import dev.rpcrdma.bench.rpc.PollingPeer;
import dev.rpcrdma.bench.rpc.RpcBench;
import dev.rpcrdma.bench.rpc.RpcBenchPeer;
import io.vertx.core.Future;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Calls over siw beside other RPC systems, a NetSocket and a raw stream, all in one run. */
@Command(name = "rpc", mixinStandardHelpOptions = true,
    description = "128-byte calls and 1 MiB puts and gets over siw, without busy polling and with "
        + "it, in turn with the same by oncrpc4j, grpc-java, Vert.x gRPC and a clustered event bus, a "
        + "Vert.x NetSocket echo and a raw SocketChannel stream. Two JVMs on loopback.")
final class RpcCommand implements Callable<Integer> {

  private static final int OUTSTANDING = 64;
  private static final int LARGE_OUTSTANDING = 4;
  /** The other systems, as figures are named after them; in the order of their ports and turns. */
  private static final String[] OTHERS = {"oncrpc4j", "grpc", "vertx_grpc", "event_bus"};
  /** Quantities measured in each repetition. */
  private static final int LAPS = 12 + 4 * OTHERS.length;
  private static final double MEGA = 1e6;

  @Mixin
  private RunOptions options;

  private Measured own;
  private Measured polling;
  private Measured[] others;
  private double[] socket;
  private double[] raw;
  private double[] rawAwake;
  private double[] allocated;
  private double[] unbounded;

  /** What is measured of each system, a value for each repetition. */
  private record Measured(double[] echo, double[] calls, double[] put, double[] get) {

    Measured(int times) {
      this(new double[times], new double[times], new double[times], new double[times]);
    }
  }

  @Override
  public Integer call() throws Exception {
    try (PeerProcess peer = PeerProcess.start(RpcBenchPeer.class);
        RpcBench bench = new RpcBench(peer.port(0));
        RpcBench awake = new RpcBench(peer.port(7),
            new RpcClientOptions().setProviderOptions(PollingPeer.AWAKE));
        RpcPeer first = new OncRpc4j(peer.port(3));
        RpcPeer second = new GrpcJava(peer.port(4));
        RpcPeer third = new VertxGrpc(peer.port(5));
        RpcPeer fourth = new ClusteredEventBus(peer.port(6))) {
      List<RpcPeer> systems = List.of(first, second, third, fourth);
      Baselines baselines = new Baselines(bench.vertx(), peer.port(1), peer.port(2));
      measure(peer, bench, awake, systems, baselines, 1, (double) options.warmUp / LAPS);
      measure(peer, bench, awake, systems, baselines, options.repetitions, options.seconds);
    }
    options.publish(report());
    return 0;
  }

  private void measure(PeerProcess peer, RpcBench bench, RpcBench awake, List<RpcPeer> systems,
      Baselines baselines, int times, double time) throws IOException {
    own = new Measured(times);
    polling = new Measured(times);
    others = new Measured[OTHERS.length];
    Arrays.setAll(others, system -> new Measured(times));
    socket = new double[times];
    raw = new double[times];
    rawAwake = new double[times];
    allocated = new double[times];
    unbounded = new double[times];
    for (int i = 0; i < times; i++) {
      socket[i] = baselines.echo(time).p50Micros();
      own.echo[i] = bench.echo(time).p50Micros();
      raw[i] = baselines.rawRate(time, false);
      rawAwake[i] = baselines.rawRate(time, true);
      own.put[i] = bench.putRate(time);
      own.get[i] = bench.getRate(time);
      long before = allocated(peer);
      Stopwatch.Lap calls = bench.calls(OUTSTANDING, time);
      allocated[i] = (double) (allocated(peer) - before) / calls.operations();
      own.calls[i] = calls.perSecond();
      unbounded[i] = bench.unboundedCalls(OUTSTANDING, time).perSecond();
      polling.echo[i] = awake.echo(time).p50Micros();
      polling.put[i] = awake.putRate(time);
      polling.get[i] = awake.getRate(time);
      polling.calls[i] = awake.calls(OUTSTANDING, time).perSecond();
      for (int system = 0; system < others.length; system++) {
        measure(systems.get(system), others[system], i, time);
      }
    }
  }

  private static long allocated(PeerProcess peer) throws IOException {
    return Allocations.ofEventLoops() + Long.parseLong(peer.ask("allocated"));
  }

  private static void measure(RpcPeer system, Measured into, int i, double time) {
    into.echo[i] = lap(system::echo, 1, time).p50Micros();
    into.calls[i] = lap(system::echo, OUTSTANDING, time).perSecond();
    into.put[i] = lap(system::put, LARGE_OUTSTANDING, time).perSecond() * RpcPeer.LARGE / MEGA;
    into.get[i] = lap(system::get, LARGE_OUTSTANDING, time).perSecond() * RpcPeer.LARGE / MEGA;
  }

  private static Stopwatch.Lap lap(Supplier<Future<?>> operation, int outstanding, double time) {
    return Stopwatch.lap(operation, outstanding, Stopwatch.nanos(time)).toCompletionStage()
        .toCompletableFuture().orTimeout(5, TimeUnit.MINUTES).join();
  }

  /** The best of the other systems, repetition by repetition. */
  private double[] best(Function<Measured, double[]> quantity) {
    double[] best = quantity.apply(others[0]).clone();
    for (Measured other : others) {
      double[] values = quantity.apply(other);
      Arrays.setAll(best, i -> Math.max(best[i], values[i]));
    }
    return best;
  }

  private void addOthers(Report report, String id, String unit,
      Function<Measured, double[]> quantity) {
    for (int system = 0; system < others.length; system++) {
      report.add(new Figure(OTHERS[system] + "_" + id, unit, quantity.apply(others[system])));
    }
  }

  private Report report() {
    Report report = options.report("rpc");
    report.add(new Figure("netsocket_echo_128_p50", "us", socket));
    report.add(new Figure("raw_stream_1m", "MB/s", raw));
    report.add(new Figure("raw_stream_1m_awake", "MB/s", rawAwake));
    addOthers(report, "echo_128_p50", "us", Measured::echo);
    addOthers(report, "echo_128_calls", "1/s", Measured::calls);
    addOthers(report, "put_1m", "MB/s", Measured::put);
    addOthers(report, "get_1m", "MB/s", Measured::get);
    addOwn(report, "", own);
    report.add(Figure.ratio("raw_stream_1m_awake_ratio_best_put", rawAwake, best(Measured::put)));
    report.add(Figure.ratio("raw_stream_1m_awake_ratio_best_get", rawAwake, best(Measured::get)));
    report.add(new Figure("alloc_per_call_bytes", "bytes", allocated));
    report.add(new Figure("echo_128_calls_unbounded", "1/s", unbounded));
    report.add(Figure.ratio("echo_128_calls_unbounded_ratio_bounded", unbounded, own.calls));
    addOwn(report, "polling_", polling);
    return report;
  }

  private void addOwn(Report report, String prefix, Measured ours) {
    String echo = prefix + "echo_128_p50";
    report.add(new Figure(echo, "us", ours.echo));
    report.add(Figure.ratio(echo + "_ratio_netsocket", ours.echo, socket));
    report.add(Figure.ratio(echo + "_ratio_oncrpc4j", ours.echo, others[0].echo));
    String calls = prefix + "echo_128_calls";
    report.add(new Figure(calls, "1/s", ours.calls));
    for (int system = 0; system < others.length; system++) {
      report.add(Figure.ratio(calls + "_ratio_" + OTHERS[system], ours.calls,
          others[system].calls));
    }
    addLarge(report, prefix + "put_1m", ours.put, best(Measured::put));
    addLarge(report, prefix + "get_1m", ours.get, best(Measured::get));
  }

  private void addLarge(Report report, String id, double[] ours, double[] best) {
    report.add(new Figure(id, "MB/s", ours));
    report.add(Figure.ratio(id + "_ratio_raw", ours, raw));
    report.add(Figure.ratio(id + "_ratio_best_peer", ours, best));
  }
}
