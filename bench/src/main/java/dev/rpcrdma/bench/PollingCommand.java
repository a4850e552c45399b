package dev.rpcrdma.bench;

import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.bench.rpc.PollingPeer;
import dev.rpcrdma.bench.rpc.RpcBench;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The same calls by event loops that poll for a while and by those that sleep at once. */
@Command(name = "polling", mixinStandardHelpOptions = true,
    description = "128-byte calls, one to 64 at a time, and 1 MiB puts and gets over siw, with and "
        + "without busy polling at both ends. Two JVMs on loopback.")
final class PollingCommand implements Callable<Integer> {

  private static final String[] HOW = {"awake", "asleep"};
  private static final int[] OUTSTANDING = {1, 4, 16, 64};
  private static final int LAPS = HOW.length * (OUTSTANDING.length + 2);

  @Mixin
  private RunOptions options;

  private double[][] p50;
  private double[][][] calls;
  private double[][] put;
  private double[][] get;

  @Override
  public Integer call() throws Exception {
    try (PeerProcess peer = PeerProcess.start(PollingPeer.class);
        RpcBench awake = new RpcBench(peer.port(0),
            new RpcClientOptions().setProviderOptions(PollingPeer.AWAKE));
        RpcBench asleep = new RpcBench(peer.port(1))) {
      RpcBench[] benches = {awake, asleep};
      measure(benches, 1, (double) options.warmUp / LAPS);
      measure(benches, options.repetitions, options.seconds);
    }
    options.publish(report());
    return 0;
  }

  private void measure(RpcBench[] benches, int times, double seconds) {
    p50 = new double[HOW.length][times];
    calls = new double[OUTSTANDING.length][HOW.length][times];
    put = new double[HOW.length][times];
    get = new double[HOW.length][times];
    for (int i = 0; i < times; i++) {
      for (int how = 0; how < HOW.length; how++) {
        for (int many = 0; many < OUTSTANDING.length; many++) {
          Stopwatch.Lap lap = benches[how].calls(OUTSTANDING[many], seconds);
          calls[many][how][i] = lap.perSecond();
          if (OUTSTANDING[many] == 1) {
            p50[how][i] = lap.p50Micros();
          }
        }
        put[how][i] = benches[how].putRate(seconds);
        get[how][i] = benches[how].getRate(seconds);
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
    return report;
  }

  private static void add(Report report, String id, String unit, double[][] values) {
    for (int how = 0; how < HOW.length; how++) {
      report.add(new Figure(id + "_" + HOW[how], unit, values[how]));
    }
    report.add(Figure.ratio(id + "_ratio", values[0], values[1]));
  }
}
