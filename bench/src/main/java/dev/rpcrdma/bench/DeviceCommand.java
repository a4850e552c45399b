package dev.rpcrdma.bench;

import dev.rpcrdma.bench.ibverbs.CallCost;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
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

  @Override
  public Integer call() throws Exception {
    for (boolean epoll : new boolean[] {false, true}) {
      for (int outstanding : OUTSTANDING) {
        CallCost cost = CallCost.of(device, host, epoll, calls, outstanding);
        System.out.printf(Locale.ROOT, "%s, %s, %d at a time: %.0f bytes allocated for each call, %.2f system calls%n",
            device, epoll ? "epoll" : "NIO", outstanding, cost.allocated(), cost.systemCalls());
        cost.byName().forEach((name, count) -> System.out.printf(Locale.ROOT, "  %6.2f %s%n", count, name));
      }
    }
    return 0;
  }
}
