// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench;

import dev.rpcrdma.bench.measure.Figure;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The figures of one run and how they came about. */
final class Report {

  private final JsonObject run;
  private final List<Figure> figures = new ArrayList<>();

  Report(String name, String command, int repetitions, int seconds, int warmUpSeconds) {
    run = new JsonObject()
        .put("bench", name)
        .put("command", command)
        .put("commit", System.getProperty("rpcrdma.commit", "unknown"))
        .put("jdk", System.getProperty("java.vm.name") + " "
            + System.getProperty("java.runtime.version"))
        .put("processors", Runtime.getRuntime().availableProcessors())
        .put("repetitions", repetitions)
        .put("secondsEach", seconds)
        .put("warmUpSeconds", warmUpSeconds)
        .put("startedAt", Instant.ofEpochMilli(
            ManagementFactory.getRuntimeMXBean().getStartTime()).toString());
  }

  void add(Figure figure) {
    figures.add(figure);
  }

  /** The median of a figure. */
  double median(String id) {
    return figures.stream().filter(figure -> figure.id().equals(id)).findFirst().orElseThrow().median();
  }

  void print(PrintStream out) {
    out.printf(Locale.ROOT, "%-34s %12s %12s %12s  %s%n", "figure", "min", "median", "max",
        "unit");
    for (Figure figure : figures) {
      double[] values = figure.values();
      out.printf(Locale.ROOT, "%-34s %12.2f %12.2f %12.2f  %s%n", figure.id(), values[0],
          figure.median(), values[values.length - 1], figure.unit());
    }
  }

  void write(Path file) throws IOException {
    JsonArray all = new JsonArray();
    figures.forEach(figure -> all.add(figure.toJson()));
    if (file.getParent() != null) {
      Files.createDirectories(file.getParent());
    }
    Files.writeString(file, run.copy().put("figures", all).encodePrettily() + "\n");
  }
}
