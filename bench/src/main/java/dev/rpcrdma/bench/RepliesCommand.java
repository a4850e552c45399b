// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench;

import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.bench.measure.Figure;
import dev.rpcrdma.bench.measure.PeerProcess;
import dev.rpcrdma.bench.replies.ManyClients;
import dev.rpcrdma.bench.replies.ReplyBench;
import dev.rpcrdma.bench.replies.ReplyPeer;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Results of unpredictable size: small ones beside those with a bound, and large ones beside Write chunks. */
@Command(name = "replies", mixinStandardHelpOptions = true,
    description = "128-byte calls over siw whose results have no bound, pulled or with Reply chunks, beside those with"
        + " a bound; results of 1, 16 and 256 MiB, pulled and by Write chunks; and 300 clients with 64 calls each in a"
        + " JVM of 256 MiB. Two JVMs on loopback.")
final class RepliesCommand implements Callable<Integer> {

  private static final int OUTSTANDING = 64;
  private static final int[] MIB = {1, 16, 256};
  private static final int[] AT_A_TIME = {4, 2, 1};
  private static final int TURNS = 8;
  /** Turns in which there are some results of each size. */
  private static final int[] LARGE_TURNS = {8, 4, 2};
  private static final int LITTLE_MIB = 256;
  private static final int MANY = 300;
  private static final int SMALL = 128;
  private static final int MANY_SECONDS = 10;
  private static final String[] HOW = {"bounded", "unbounded", "reply_chunk"};
  private static final int LAPS = 2 * HOW.length + 2 * MIB.length;

  @Mixin
  private RunOptions options;

  private double[][] calls;
  private double[][] p50;
  private double[][] pulled;
  private double[][] written;

  @Override
  public Integer call() throws Exception {
    Report report = options.report("replies");
    try (PeerProcess peer = PeerProcess.start(ReplyPeer.class);
        ReplyBench pulling = new ReplyBench(peer.port(0), new RpcClientOptions());
        ReplyBench without = new ReplyBench(peer.port(0), new RpcClientOptions().setPullReplies(false))) {
      measure(pulling, without, 1, (double) options.warmUp / LAPS);
      measure(pulling, without, options.repetitions, options.seconds);
      report.add(Figure.of("unbounded_exposures", "per call", pulling.exposures(OUTSTANDING)));
      report.add(Figure.of("reply_chunk_exposures", "per call", without.exposures(OUTSTANDING)));
    }
    report(report);
    manyClients(report);
    options.publish(report);
    return 0;
  }

  /** In two processes that have little memory. */
  private static void manyClients(Report report) throws IOException {
    LittleServer.Outcome outcome = LittleServer.run(LITTLE_MIB,
        new ManyClients.Plan(MANY, OUTSTANDING, SMALL, MANY_SECONDS), LittleServer.memory(LITTLE_MIB));
    report.add(Figure.of("many_clients_calls", "calls", outcome.calls()));
    report.add(Figure.of("many_clients_failed", "calls", outcome.failed()));
  }

  private void measure(ReplyBench pulling, ReplyBench without, int times, double seconds) throws IOException {
    calls = new double[HOW.length][times];
    p50 = new double[HOW.length][times];
    pulled = new double[MIB.length][times];
    written = new double[MIB.length][times];
    for (int i = 0; i < times; i++) {
      int repetition = i;
      Turns.take(TURNS, HOW.length, how -> small(how == 2 ? without : pulling, how, repetition, seconds / TURNS));
      for (int size = 0; size < MIB.length; size++) {
        int mib = size;
        Turns.take(LARGE_TURNS[size], 2, way -> large(pulling, mib, way == 0, repetition, seconds / LARGE_TURNS[mib]));
      }
    }
  }

  /** Adds a part to the means of a repetition. */
  private void small(ReplyBench bench, int how, int repetition, double seconds) {
    calls[how][repetition] += bench.calls(how == 0, OUTSTANDING, seconds).perSecond() / TURNS;
    p50[how][repetition] += bench.calls(how == 0, 1, seconds).p50Micros() / TURNS;
  }

  /** The same, of large results. */
  private void large(ReplyBench bench, int size, boolean pull, int repetition, double seconds) {
    double rate = bench.rate(MIB[size] << 20, pull, AT_A_TIME[size], seconds) / LARGE_TURNS[size];
    (pull ? pulled : written)[size][repetition] += rate;
  }

  private void report(Report report) {
    for (int how = 0; how < HOW.length; how++) {
      report.add(new Figure(HOW[how] + "_calls", "1/s", calls[how]));
      report.add(new Figure(HOW[how] + "_p50", "us", p50[how]));
    }
    for (int how = 1; how < HOW.length; how++) {
      report.add(Figure.ratio(HOW[how] + "_calls_ratio", calls[how], calls[0]));
      report.add(Figure.ratio(HOW[how] + "_p50_ratio", p50[how], p50[0]));
    }
    for (int size = 0; size < MIB.length; size++) {
      String name = MIB[size] + "m";
      report.add(new Figure("pull_" + name, "MB/s", pulled[size]));
      report.add(new Figure("write_" + name, "MB/s", written[size]));
      report.add(Figure.ratio("pull_" + name + "_ratio", pulled[size], written[size]));
    }
  }
}
