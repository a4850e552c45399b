// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench;

import dev.rpcrdma.bench.ibverbs.CallCost;
import dev.rpcrdma.bench.measure.Figure;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bench/run device}: what a call costs on an RDMA device, counted. */
@Command(name = "device", mixinStandardHelpOptions = true,
    description = "System calls by strace, and bytes that event loops allocate, of 128-byte calls over an RDMA device,"
        + " one at a time and 64, with both ends in one process. Counts are the same on a slow machine.")
final class DeviceCommand implements Callable<Integer> {

  private static final int[] OUTSTANDING = {1, 64};

  @Option(names = "--device", required = true, description = "The RDMA device, such as rxe0.")
  private String device;

  @Option(names = "--host", required = true, description = "An IP address of it.")
  private String host;

  @Option(names = "--calls", defaultValue = "2000", description = "How many are counted; default ${DEFAULT-VALUE}.")
  private int calls;

  @Mixin
  private ReportOutput output;

  @Override
  public Integer call() throws Exception {
    Report report = new Report("device",
        "bench/run device --device " + device + " --host " + host + " --calls " + calls, 1, 0, 0);
    for (boolean epoll : new boolean[] {false, true}) {
      for (int outstanding : OUTSTANDING) {
        CallCost cost = CallCost.of(device, host, epoll, calls, outstanding);
        String prefix = device + (epoll ? "_epoll_" : "_nio_") + outstanding + "_";
        report.add(Figure.of(prefix + "allocated", "bytes", cost.allocated()));
        report.add(Figure.of(prefix + "system_calls", "", cost.systemCalls()));
        cost.byName().forEach((name, count) ->
            report.add(Figure.of(prefix + name.replace(' ', '_'), "", count)));
      }
    }
    output.publish(report);
    return 0;
  }
}
