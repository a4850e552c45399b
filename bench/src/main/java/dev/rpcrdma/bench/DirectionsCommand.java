// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench;

import dev.rpcrdma.bench.directions.DirectionsBench;
import dev.rpcrdma.bench.directions.DirectionsPeer;
import dev.rpcrdma.bench.measure.Figure;
import dev.rpcrdma.bench.measure.PeerProcess;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Calls of the client, while the server calls back over the same connection, or does not. */
@Command(name = "directions", mixinStandardHelpOptions = true,
    description = "128-byte calls over siw alone, while the server makes two thousand calls a second "
        + "in the reverse direction, and while all its reverse calls are stuck. Two JVMs on loopback.")
final class DirectionsCommand implements Callable<Integer> {

  private static final String[] REVERSE = {"quiet", "busy", "stuck"};
  private static final int LAPS = 6;
  private static final int OUTSTANDING = 64;

  @Mixin
  private RunOptions options;

  private double[][] p50;
  private double[][] calls;
  private double[] reverse;

  /** A server's process and a connection to it. */
  private record Pair(PeerProcess peer, DirectionsBench bench) {}

  @Override
  public Integer call() throws Exception {
    try (PeerProcess free = PeerProcess.start(DirectionsPeer.class);
        DirectionsBench first = new DirectionsBench(free.port(0));
        PeerProcess stuck = PeerProcess.start(DirectionsPeer.class);
        DirectionsBench second = new DirectionsBench(stuck.port(0))) {
      // What is stuck stays so: it has a connection of its own.
      Pair[] pairs = {new Pair(free, first), new Pair(free, first), new Pair(stuck, second)};
      stuck.ask(REVERSE[2]);
      measure(pairs, 1, (double) options.warmUp / LAPS);
      measure(pairs, options.repetitions, options.seconds);
    }
    options.publish(report());
    return 0;
  }

  private void measure(Pair[] pairs, int times, double seconds) throws IOException {
    p50 = new double[REVERSE.length][times];
    calls = new double[REVERSE.length][times];
    reverse = new double[times];
    for (int i = 0; i < times; i++) {
      for (int how = 0; how < REVERSE.length; how++) {
        pairs[how].peer.ask(how == 1 ? REVERSE[1] : REVERSE[0]);
        p50[how][i] = pairs[how].bench.calls(1, seconds).p50Micros();
        calls[how][i] = pairs[how].bench.calls(OUTSTANDING, seconds).perSecond();
        double answered = Double.parseDouble(pairs[how].peer.ask(REVERSE[0]));
        reverse[i] += how == 1 ? answered / (2 * seconds) : 0;
      }
    }
  }

  private Report report() {
    Report report = options.report("directions");
    for (int how = 0; how < REVERSE.length; how++) {
      report.add(new Figure("echo_128_p50_" + REVERSE[how], "us", p50[how]));
      report.add(new Figure("echo_128_calls_" + REVERSE[how], "1/s", calls[how]));
    }
    report.add(new Figure("reverse_calls_busy", "1/s", reverse));
    for (int how = 1; how < REVERSE.length; how++) {
      report.add(Figure.ratio("p50_ratio_" + REVERSE[how], p50[how], p50[0]));
      report.add(Figure.ratio("calls_ratio_" + REVERSE[how], calls[how], calls[0]));
    }
    return report;
  }
}
