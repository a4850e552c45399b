// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench;

import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.bench.measure.Figure;
import dev.rpcrdma.bench.measure.PeerProcess;
import dev.rpcrdma.bench.replies.ReplyBench;
import dev.rpcrdma.bench.replies.ReplyPeer;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code bench/run transport}: what becomes of siw in a JVM that uses Netty's native transport. */
@Command(name = "transport", mixinStandardHelpOptions = true,
    description = "128-byte calls over siw, 64 at a time and one, and results of 1 MiB, 4 at a time, over Java's NIO"
        + " and over Netty's epoll. Two JVMs of each on loopback; needs Linux on x86-64.")
final class TransportCommand implements Callable<Integer> {

  private static final int OUTSTANDING = 64;
  private static final int TURNS = 8;
  private static final int MEBIBYTE = 1 << 20;
  private static final int AT_A_TIME = 4;
  private static final String[] HOW = {"nio", "epoll"};

  @Mixin
  private RunOptions options;

  private double[][] calls;
  private double[][] p50;
  private double[][] rate;

  @Override
  public Integer call() throws Exception {
    Report report = options.report("transport");
    try (PeerProcess nioPeer = PeerProcess.start(ReplyPeer.class);
        PeerProcess epollPeer = PeerProcess.start(ReplyPeer.class, "-D" + ReplyPeer.NATIVE + "=true");
        ReplyBench nio = new ReplyBench(nioPeer.port(0), new RpcClientOptions());
        ReplyBench epoll = new ReplyBench(epollPeer.port(0), new RpcClientOptions(),
            new VertxOptions().setPreferNativeTransport(true))) {
      ReplyBench[] both = {nio, epoll};
      measure(both, 1, (double) options.warmUp / HOW.length / 3);
      measure(both, options.repetitions, options.seconds);
    }
    for (int how = 0; how < HOW.length; how++) {
      report.add(new Figure(HOW[how] + "_calls", "1/s", calls[how]));
      report.add(new Figure(HOW[how] + "_p50", "us", p50[how]));
      report.add(new Figure(HOW[how] + "_1m", "MB/s", rate[how]));
    }
    report.add(Figure.ratio("epoll_calls_ratio_nio", calls[1], calls[0]));
    report.add(Figure.ratio("epoll_p50_ratio_nio", p50[1], p50[0]));
    report.add(Figure.ratio("epoll_1m_ratio_nio", rate[1], rate[0]));
    options.publish(report);
    return 0;
  }

  private void measure(ReplyBench[] benches, int times, double seconds) throws IOException {
    calls = new double[HOW.length][times];
    p50 = new double[HOW.length][times];
    rate = new double[HOW.length][times];
    for (int i = 0; i < times; i++) {
      int repetition = i;
      Turns.take(TURNS, HOW.length, how -> {
        calls[how][repetition] += benches[how].calls(true, OUTSTANDING, seconds / TURNS).perSecond() / TURNS;
        p50[how][repetition] += benches[how].calls(true, 1, seconds / TURNS).p50Micros() / TURNS;
        rate[how][repetition] += benches[how].rate(MEBIBYTE, false, AT_A_TIME, seconds / TURNS) / TURNS;
      });
    }
  }
}
