// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench;

import java.io.IOException;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How often and how long, and where the figures go. */
final class RunOptions {

  @Option(names = "--repetitions", defaultValue = "5",
      description = "How often each quantity is measured; default ${DEFAULT-VALUE}.")
  int repetitions;

  @Option(names = "--seconds", defaultValue = "2",
      description = "How long each time; default ${DEFAULT-VALUE}.")
  int seconds;

  @Option(names = "--warm-up", defaultValue = "25",
      description = "Seconds of the same before; default ${DEFAULT-VALUE}.")
  int warmUp;

  @Mixin
  private ReportOutput output;

  Report report(String name) {
    return new Report(name, "bench/run " + name + " --repetitions " + repetitions + " --seconds "
        + seconds + " --warm-up " + warmUp, repetitions, seconds, warmUp);
  }

  void publish(Report report) throws IOException {
    output.publish(report);
  }
}
