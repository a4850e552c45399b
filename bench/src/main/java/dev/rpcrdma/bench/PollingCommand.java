// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench;

import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.bench.bare.BareClient;
import dev.rpcrdma.bench.measure.Baselines;
import dev.rpcrdma.bench.measure.Figure;
import dev.rpcrdma.bench.measure.PeerProcess;
import dev.rpcrdma.bench.measure.Stopwatch;
import dev.rpcrdma.bench.rpc.PollingPeer;
import dev.rpcrdma.bench.rpc.RpcBench;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The same calls by event loops that poll for a while and by those that sleep at once. */
@Command(name = "polling", mixinStandardHelpOptions = true,
    description = "128-byte calls, one to 128 at a time, and 1 MiB puts and gets over siw, with and "
        + "without busy polling at both ends, in turn with a bare stack: frames as long, with CRC, look-up and "
        + "call-back, and nothing else; and a raw stream. Two JVMs on loopback.")
final class PollingCommand implements Callable<Integer> {

  private static final String[] HOW = {"awake", "asleep"};
  private static final int[] OUTSTANDING = {1, 4, 16, 64, 128};
  private static final int LAPS = HOW.length * (2 * OUTSTANDING.length + 3);

  @Mixin
  private RunOptions options;

  private double[][] p50;
  private double[][][] calls;
  private double[][] put;
  private double[][] get;
  private double[][] bareP50;
  private double[][][] bareCalls;
  private double[][] raw;

  @Override
  public Integer call() throws Exception {
    try (PeerProcess peer = PeerProcess.start(PollingPeer.class);
        RpcBench awake = new RpcBench(peer.port(0),
            new RpcClientOptions().setProviderOptions(PollingPeer.AWAKE));
        RpcBench asleep = new RpcBench(peer.port(1))) {
      RpcBench[] benches = {awake, asleep};
      BareClient[] bare = {new BareClient(peer.port(2), true), new BareClient(peer.port(3), false)};
      Baselines baselines = new Baselines(asleep.vertx(), peer.port(4), peer.port(5));
      measure(benches, bare, baselines, 1, (double) options.warmUp / LAPS);
      measure(benches, bare, baselines, options.repetitions, options.seconds);
    }
    options.publish(report());
    return 0;
  }

  private void measure(RpcBench[] benches, BareClient[] bare, Baselines baselines, int times, double seconds)
      throws IOException {
    p50 = new double[HOW.length][times];
    calls = new double[OUTSTANDING.length][HOW.length][times];
    put = new double[HOW.length][times];
    get = new double[HOW.length][times];
    bareP50 = new double[HOW.length][times];
    bareCalls = new double[OUTSTANDING.length][HOW.length][times];
    raw = new double[HOW.length][times];
    for (int i = 0; i < times; i++) {
      for (int how = 0; how < HOW.length; how++) {
        for (int many = 0; many < OUTSTANDING.length; many++) {
          Stopwatch.Lap lap = benches[how].calls(OUTSTANDING[many], seconds);
          Stopwatch.Lap without = bare[how].calls(OUTSTANDING[many], seconds);
          calls[many][how][i] = lap.perSecond();
          bareCalls[many][how][i] = without.perSecond();
          if (OUTSTANDING[many] == 1) {
            p50[how][i] = lap.p50Micros();
            bareP50[how][i] = without.p50Micros();
          }
        }
        put[how][i] = benches[how].putRate(seconds);
        get[how][i] = benches[how].getRate(seconds);
        raw[how][i] = baselines.rawRate(seconds, how == 0);
      }
    }
  }

  private Report report() {
    Report report = options.report("polling");
    add(report, "echo_128_p50", "us", p50);
    for (int many = 0; many < OUTSTANDING.length; many++) {
      add(report, "echo_128_calls_" + OUTSTANDING[many], "1/s", calls[many]);
    }
    add(report, "put_1m", "MB/s", put);
    add(report, "get_1m", "MB/s", get);
    addBare(report, "echo_128_p50", "us", p50, bareP50);
    for (int many = 0; many < OUTSTANDING.length; many++) {
      addBare(report, "echo_128_calls_" + OUTSTANDING[many], "1/s", calls[many], bareCalls[many]);
    }
    for (int how = 0; how < HOW.length; how++) {
      report.add(new Figure("raw_stream_1m_" + HOW[how], "MB/s", raw[how]));
      report.add(Figure.ratio("put_1m_" + HOW[how] + "_ratio_raw", put[how], raw[how]));
      report.add(Figure.ratio("get_1m_" + HOW[how] + "_ratio_raw", get[how], raw[how]));
    }
    return report;
  }

  /** Ours over what this machine allows. */
  private static void addBare(Report report, String id, String unit, double[][] ours, double[][] bare) {
    for (int how = 0; how < HOW.length; how++) {
      report.add(new Figure("bare_" + id + "_" + HOW[how], unit, bare[how]));
      report.add(Figure.ratio(id + "_" + HOW[how] + "_ratio_bare", ours[how], bare[how]));
    }
  }

  private static void add(Report report, String id, String unit, double[][] values) {
    for (int how = 0; how < HOW.length; how++) {
      report.add(new Figure(id + "_" + HOW[how], unit, values[how]));
    }
    report.add(Figure.ratio(id + "_ratio", values[0], values[1]));
  }
}
