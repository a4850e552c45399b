// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench;

import dev.rpcrdma.bench.measure.Figure;
import dev.rpcrdma.bench.replies.ManyClients;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Many clients that connect at once, and have large results waiting in a server of little memory. */
@Command(name = "clients", mixinStandardHelpOptions = true,
    description = "Clients with default options that connect at once over siw, each with a few calls at a time whose"
        + " results have no bound. Two JVMs on loopback, of which the server's has little memory, half of it heap.")
final class ClientsCommand implements Callable<Integer> {

  private static final String MEMORY_OF_CLIENTS = "-Xmx1g";

  @Option(names = "--clients", defaultValue = "1000", description = "How many; default ${DEFAULT-VALUE}.")
  private int clients;

  @Option(names = "--outstanding", defaultValue = "5",
      description = "Calls of each at a time; default ${DEFAULT-VALUE}.")
  private int outstanding;

  @Option(names = "--length", defaultValue = "100000", description = "Bytes of a result; default ${DEFAULT-VALUE}.")
  private int length;

  @Option(names = "--seconds", defaultValue = "20", description = "For how long; default ${DEFAULT-VALUE}.")
  private int seconds;

  @Option(names = "--memory", defaultValue = "512",
      description = "MiB of heap and direct memory of the server; default ${DEFAULT-VALUE}.")
  private int memory;

  @Mixin
  private ReportOutput output;

  @Override
  public Integer call() throws IOException {
    Report report = new Report("clients", "bench/run clients --clients " + clients + " --outstanding " + outstanding
        + " --length " + length + " --seconds " + seconds + " --memory " + memory, 1, seconds, 0);
    LittleServer.Outcome outcome = LittleServer.run(memory / 2,
        new ManyClients.Plan(clients, outstanding, length, seconds), MEMORY_OF_CLIENTS);
    report.add(Figure.of("calls", "calls", outcome.calls()));
    report.add(Figure.of("failed", "calls", outcome.failed()));
    report.add(Figure.of("server_resident", "bytes", outcome.resident()));
    output.publish(report);
    return 0;
  }
}
