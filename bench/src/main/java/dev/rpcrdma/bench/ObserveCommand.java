package dev.rpcrdma.bench;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.bench.replies.ReplyBench;
import dev.rpcrdma.bench.replies.ReplyPeer;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code bench/run observe}: what it costs to say more than a call. */
@Command(name = "observe", mixinStandardHelpOptions = true,
    description = "128-byte calls over siw without metadata, with metadata (their deadline), and with a header"
        + " besides, 64 at a time. Two JVMs on loopback.")
final class ObserveCommand implements Callable<Integer> {

  private static final int OUTSTANDING = 64;
  private static final int TURNS = 8;
  private static final String[] HOW = {"bare", "metadata", "header"};
  private static final CallOptions HEADER = CallOptions.DEFAULT.withHeader("tenant", "blue");

  @Mixin
  private RunOptions options;

  private PeerProcess peer;
  private double[][] calls;
  private double[][] cpu;

  @Override
  public Integer call() throws Exception {
    Report report = options.report("observe");
    try (PeerProcess process = PeerProcess.start(ReplyPeer.class);
        ReplyBench bare = new ReplyBench(process.port(0), new RpcClientOptions().setMetadata(false));
        ReplyBench with = new ReplyBench(process.port(0), new RpcClientOptions())) {
      peer = process;
      measure(bare, with, 1, (double) options.warmUp / HOW.length);
      measure(bare, with, options.repetitions, options.seconds);
    }
    for (int how = 0; how < HOW.length; how++) {
      report.add(new Figure(HOW[how] + "_calls", "1/s", calls[how]));
      report.add(new Figure(HOW[how] + "_cpu_per_call", "ns", cpu[how]));
    }
    for (int how = 1; how < HOW.length; how++) {
      report.add(Figure.ratio(HOW[how] + "_calls_ratio", calls[how], calls[0]));
      report.add(Figure.ratio(HOW[how] + "_cpu_ratio", cpu[how], cpu[0]));
    }
    options.publish(report);
    return 0;
  }

  private void measure(ReplyBench bare, ReplyBench with, int times, double seconds) throws IOException {
    calls = new double[HOW.length][times];
    cpu = new double[HOW.length][times];
    for (int i = 0; i < times; i++) {
      int repetition = i;
      Turns.take(TURNS, HOW.length, how -> {
        long before = cpuOfBoth();
        Stopwatch.Lap lap = (how == 0 ? bare : with)
            .calls(how == 2 ? HEADER : CallOptions.DEFAULT, OUTSTANDING, seconds / TURNS);
        calls[how][repetition] += lap.perSecond() / TURNS;
        cpu[how][repetition] += (double) (cpuOfBoth() - before) / lap.operations() / TURNS;
      });
    }
  }

  private long cpuOfBoth() throws IOException {
    return CpuTime.nanos() + Long.parseLong(peer.ask("cpu"));
  }
}
