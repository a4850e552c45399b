// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.bench.measure.CpuTime;
import dev.rpcrdma.bench.measure.Figure;
import dev.rpcrdma.bench.measure.PeerProcess;
import dev.rpcrdma.bench.measure.Stopwatch;
import dev.rpcrdma.bench.replies.ReplyBench;
import dev.rpcrdma.bench.replies.ReplyPeer;
import dev.rpcrdma.bench.replies.Watched;
import java.io.IOException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code bench/run observe}: what it costs to say more than a call, and to have calls watched. */
@Command(name = "observe", mixinStandardHelpOptions = true,
    description = "128-byte calls over siw without metadata, with metadata (their deadline), with a header besides;"
        + " with statistics at both ends, with those and a backend of Vert.x's metrics, with OpenTelemetry's spans;"
        + " 64 at a time. Two JVMs on loopback.")
final class ObserveCommand implements Callable<Integer> {

  private static final int OUTSTANDING = 64;
  private static final int TURNS = 8;
  private static final CallOptions HEADER = CallOptions.DEFAULT.withHeader("tenant", "blue");

  /** What is measured. */
  private enum Way {
    BARE(Watched.NOT, false, CallOptions.DEFAULT),
    METADATA(Watched.NOT, true, CallOptions.DEFAULT),
    HEADER(Watched.NOT, true, ObserveCommand.HEADER),
    STATISTICS(Watched.STATISTICS, true, CallOptions.DEFAULT),
    METRICS(Watched.METRICS, true, CallOptions.DEFAULT),
    SPANS(Watched.SPANS, true, CallOptions.DEFAULT);

    private final Watched watched;
    private final boolean metadata;
    private final CallOptions options;

    Way(Watched watched, boolean metadata, CallOptions options) {
      this.watched = watched;
      this.metadata = metadata;
      this.options = options;
    }

    ReplyBench connect(PeerProcess peer) {
      return new ReplyBench(peer.port(watched.ordinal()), new RpcClientOptions().setMetadata(metadata), watched);
    }

    /** What it is compared with: what is watched with what is not. */
    Way base() {
      return watched == Watched.NOT ? BARE : METADATA;
    }

    String figure(String of) {
      return name().toLowerCase(Locale.ROOT) + "_" + of;
    }
  }

  @Mixin
  private RunOptions options;

  private PeerProcess peer;
  private double[][] calls;
  private double[][] cpu;

  @Override
  public Integer call() throws Exception {
    Report report = options.report("observe");
    Map<Way, ReplyBench> benches = new EnumMap<>(Way.class);
    try (PeerProcess process = PeerProcess.start(ReplyPeer.class, "-D" + ReplyPeer.SMALL + "=true",
        "-D" + ReplyPeer.WATCHED + "=true")) {
      peer = process;
      for (Way way : Way.values()) {
        benches.put(way, way.connect(process));
      }
      measure(benches, 1, (double) options.warmUp / Way.values().length);
      measure(benches, options.repetitions, options.seconds);
    } finally {
      benches.values().forEach(ReplyBench::close);
    }
    for (Way way : Way.values()) {
      report.add(new Figure(way.figure("calls"), "1/s", calls[way.ordinal()]));
      report.add(new Figure(way.figure("cpu_per_call"), "ns", cpu[way.ordinal()]));
    }
    for (Way way : Way.values()) {
      if (way != way.base()) {
        compare(report, way);
      }
    }
    options.publish(report);
    return 0;
  }

  private void compare(Report report, Way way) {
    int of = way.ordinal();
    int base = way.base().ordinal();
    report.add(Figure.ratio(way.figure("calls_ratio"), calls[of], calls[base]));
    report.add(Figure.ratio(way.figure("cpu_ratio"), cpu[of], cpu[base]));
    double[] more = new double[cpu[of].length];
    Arrays.setAll(more, i -> cpu[of][i] - cpu[base][i]);
    report.add(new Figure(way.figure("cpu_more_per_call"), "ns", more));
  }

  private void measure(Map<Way, ReplyBench> benches, int times, double seconds) throws IOException {
    Way[] ways = Way.values();
    calls = new double[ways.length][times];
    cpu = new double[ways.length][times];
    for (int i = 0; i < times; i++) {
      int repetition = i;
      Turns.take(TURNS, ways.length, how -> {
        long before = cpuOfBoth();
        Stopwatch.Lap lap = benches.get(ways[how]).calls(ways[how].options, OUTSTANDING, seconds / TURNS);
        calls[how][repetition] += lap.perSecond() / TURNS;
        cpu[how][repetition] += (double) (cpuOfBoth() - before) / lap.operations() / TURNS;
      });
    }
  }

  private long cpuOfBoth() throws IOException {
    return CpuTime.nanos() + Long.parseLong(peer.ask("cpu"));
  }
}
