// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench;

import dev.rpcrdma.bench.measure.Figure;
import dev.rpcrdma.bench.soak.Sample;
import dev.rpcrdma.bench.soak.Soak;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Mixed load with cuts, for half an hour: nothing is lost, nothing grows. */
@Command(name = "soak", mixinStandardHelpOptions = true,
    description = "Calls of all sizes in both directions, over connections that are cut every "
        + "half a second or so. Fails if a call is lost, or executed twice. One JVM on loopback.")
final class SoakCommand implements Callable<Integer> {

  private static final int SAMPLES = 30;
  private static final Duration MOST_BETWEEN_CUTS = Duration.ofSeconds(1);

  @Option(names = "--minutes", defaultValue = "30",
      description = "How long; default ${DEFAULT-VALUE}.")
  private int minutes;

  @Option(names = "--seed", defaultValue = "1", description = "Decides what happens.")
  private long seed;

  @Mixin
  private ReportOutput output;

  @Override
  public Integer call() throws Exception {
    Duration duration = Duration.ofMinutes(minutes);
    Report report = new Report("soak", "bench/run soak --minutes " + minutes + " --seed " + seed,
        1, 60 * minutes, 0);
    Soak.Outcome outcome =
        new Soak(seed).run(duration, duration.dividedBy(SAMPLES + 1), MOST_BETWEEN_CUTS);
    report.add(Figure.of("calls", "", outcome.calls));
    report.add(Figure.of("reverse_calls", "", outcome.reverseCalls));
    report.add(Figure.of("connections", "", outcome.connections));
    report.add(Figure.of("calls_sent_again", "", outcome.replays));
    report.add(Figure.of("exposures_at_the_end", "", outcome.exposures));
    all(report, "memory", "bytes", outcome.samples, Sample::bytes);
    all(report, "descriptors", "", outcome.samples, Sample::descriptors);
    all(report, "threads", "", outcome.samples, Sample::threads);
    output.publish(report);
    return 0;
  }

  /** All samples, and the median of the last third of them over that of the second. */
  private static void all(Report report, String id, String unit, List<Sample> samples,
      ToDoubleFunction<Sample> value) {
    double[] values = samples.stream().mapToDouble(value).toArray();
    report.add(new Figure(id, unit, values));
    int third = values.length / 3;
    double late = new Figure(id, unit,
        Arrays.copyOfRange(values, values.length - third, values.length)).median();
    double early = new Figure(id, unit,
        Arrays.copyOfRange(values, third, 2 * third)).median();
    report.add(Figure.of(id + "_late_over_early", "ratio", late / early));
  }
}
