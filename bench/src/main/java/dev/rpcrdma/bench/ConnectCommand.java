// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench;

import dev.rpcrdma.bench.connect.ConnectClients;
import dev.rpcrdma.bench.connect.ConnectPeer;
import dev.rpcrdma.bench.measure.Figure;
import dev.rpcrdma.bench.measure.PeerProcess;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How long it takes until many clients have their first answer. */
@Command(name = "connect", mixinStandardHelpOptions = true,
    description = "Clients that connect at once over siw, each with one call of 128 bytes, beside sockets of Vert.x"
        + " that have the same bytes sent back. Four JVMs on loopback, which have just been started the first time.")
final class ConnectCommand implements Callable<Integer> {

  @Option(names = "--clients", defaultValue = "1000", description = "How many; default ${DEFAULT-VALUE}.")
  private int clients;

  @Option(names = "--rounds", defaultValue = "30",
      description = "How often, one after the other, all of them connect anew; default ${DEFAULT-VALUE}.")
  private int rounds;

  @Mixin
  private ReportOutput output;

  @Override
  public Integer call() throws IOException {
    Report report = new Report("connect", "bench/run connect --clients " + clients + " --rounds " + rounds, rounds, 0,
        0);
    String sockets = "-D" + ConnectPeer.SOCKETS + "=true";
    double[] ours = new double[rounds];
    double[] plain = new double[rounds];
    try (PeerProcess server = PeerProcess.start(ConnectPeer.class);
        PeerProcess many = PeerProcess.start(ConnectClients.class);
        PeerProcess plainServer = PeerProcess.start(ConnectPeer.class, sockets);
        PeerProcess plainMany = PeerProcess.start(ConnectClients.class, sockets)) {
      for (int i = 0; i < rounds; i++) {
        plain[i] = millis(plainMany, plainServer);
        ours[i] = millis(many, server);
      }
    }
    add(report, "first", Arrays.copyOf(ours, 1), Arrays.copyOf(plain, 1));
    // Where the JIT compilers have seen it all.
    add(report, "later", Arrays.copyOfRange(ours, rounds / 2, rounds), Arrays.copyOfRange(plain, rounds / 2, rounds));
    output.publish(report);
    return 0;
  }

  private double millis(PeerProcess many, PeerProcess server) throws IOException {
    return Double.parseDouble(many.ask(server.port(0) + " " + clients));
  }

  private static void add(Report report, String when, double[] ours, double[] plain) {
    report.add(new Figure(when + "_answers", "ms", ours));
    report.add(new Figure("netsocket_" + when + "_answers", "ms", plain));
    report.add(Figure.ratio(when + "_answers_ratio_netsocket", ours, plain));
  }
}
