// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench;

import dev.rpcrdma.bench.replies.ManyClients;
import dev.rpcrdma.bench.replies.ReplyPeer;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
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

  @Option(names = "--json", paramLabel = "FILE", description = "Write the figures as JSON.")
  private Path json;

  @Override
  public Integer call() throws Exception {
    Report report = new Report("clients", "bench/run clients --clients " + clients + " --outstanding " + outstanding
        + " --length " + length + " --seconds " + seconds + " --memory " + memory, 1, seconds, 0);
    int half = memory / 2;
    try (PeerProcess server = PeerProcess.start(ReplyPeer.class, "-Xmx" + half + "m",
            "-XX:MaxDirectMemorySize=" + half + "m", "-D" + ReplyPeer.SMALL + "=true");
        PeerProcess callers = PeerProcess.start(ManyClients.class, MEMORY_OF_CLIENTS)) {
      String[] said = callers.ask(
          new ManyClients.Plan(server.port(0), clients, outstanding, length, seconds).line()).split(" ");
      report.add(figure("calls", "calls", said[0]));
      report.add(figure("failed", "calls", said[1]));
      report.add(figure("server_resident", "bytes", server.ask(ReplyPeer.RESIDENT)));
    }
    report.print(System.out);
    if (json != null) {
      report.write(json);
    }
    return 0;
  }

  private static Figure figure(String id, String unit, String value) {
    return new Figure(id, unit, new double[] {Double.parseDouble(value)});
  }
}
