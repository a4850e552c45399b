// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench;

import dev.rpcrdma.bench.overload.OverloadBench;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Services with five times the calls that they can do. */
@Command(name = "overload", mixinStandardHelpOptions = true,
    description = "A service that has four threads and takes 10 ms for a call gets 2000 calls in a second, whose "
        + "callers wait for 500 ms: how many succeed, in percent of the 400 that it can do; and when all have their outcome, "
        + "how long it takes until another call succeeds. Ours over siw, with 80 calls that wait at most and with "
        + "the default of 4096; Vert.x gRPC and a clustered event bus; two JVMs on loopback.")
final class OverloadCommand implements Callable<Integer> {

  @Mixin
  private RunOptions options;

  @Override
  public Integer call() throws Exception {
    Report report = options.report("overload");
    OverloadBench.measure(options.repetitions, options.seconds).forEach(report::add);
    options.publish(report);
    return 0;
  }
}
