// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench;

import com.sun.management.ThreadMXBean;
import dev.rpcrdma.bench.ibverbs.NoDevice;
import dev.rpcrdma.bench.ibverbs.PostAndPoll;
import dev.rpcrdma.bench.measure.Figure;
import dev.rpcrdma.bench.measure.Stopwatch;
import java.lang.management.ManagementFactory;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code bench/run ibverbs}: what Java takes for itself to post to an RDMA device and to poll it. */
@Command(name = "ibverbs", mixinStandardHelpOptions = true,
    description = "Sends and Receives of 64 bytes posted and polled by the provider ibverbs, one at a time and 16 in a"
        + " chain, on a device that completes at once; beside the same in C. Needs gcc and libibverbs-dev.")
final class IbverbsCommand implements Callable<Integer> {

  private static final int CHAIN = 16;
  private static final int[] CHAINS = {1, CHAIN};
  private static final long ROUNDS = 1_000;
  private static final ThreadMXBean THREAD = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  @Mixin
  private RunOptions options;

  /** Rounds of posting and polling. */
  private interface Rounds {
    long run(long count, int chain) throws Exception;
  }

  @Override
  public Integer call() throws Exception {
    NoDevice device = NoDevice.load();
    PostAndPoll queues = new PostAndPoll(device);
    Report report = options.report("ibverbs");
    double[][] java = new double[CHAINS.length][options.repetitions];
    double[][] c = new double[CHAINS.length][options.repetitions];
    double[] allocated = new double[options.repetitions];
    for (int chain : CHAINS) {
      nanos(queues::rounds, chain, options.warmUp / (double) CHAINS.length);
    }
    for (int i = 0; i < options.repetitions; i++) {
      long before = THREAD.getCurrentThreadAllocatedBytes();
      for (int kind = 0; kind < CHAINS.length; kind++) {
        java[kind][i] = nanos(queues::rounds, CHAINS[kind], options.seconds);
      }
      allocated[i] = (THREAD.getCurrentThreadAllocatedBytes() - before) / (options.seconds * 1e9
          / Math.max(java[0][i], java[1][i]));
      for (int kind = 0; kind < CHAINS.length; kind++) {
        c[kind][i] = nanos(device::rounds, CHAINS[kind], options.seconds);
      }
    }
    report.add(new Figure("post_poll", "ns", java[0]));
    report.add(new Figure("post_poll_c", "ns", c[0]));
    report.add(new Figure("post_poll_chain_16", "ns", java[1]));
    report.add(new Figure("post_poll_chain_16_c", "ns", c[1]));
    report.add(new Figure("allocated", "bytes", allocated));
    options.publish(report);
    return 0;
  }

  /** What one message takes, a Send or a Receive, from its post until it is taken. */
  private static double nanos(Rounds rounds, int chain, double seconds) throws Exception {
    long end = System.nanoTime() + Stopwatch.nanos(seconds);
    long begun = System.nanoTime();
    long messages = 0;
    do {
      rounds.run(ROUNDS, chain);
      messages += 2 * ROUNDS * chain;
    } while (end - System.nanoTime() > 0);
    return (System.nanoTime() - begun) / (double) messages;
  }
}
