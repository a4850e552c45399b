// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.requirements.report;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Prints the report of a build.
 *
 * <p>The gate fails where a class takes four times what its size tag allows: at twice that it failed by chance, where a
 * machine had something else to do. Other builds only print the class: a slow or busy machine is no reason to fail a
 * user's build.
 */
public final class BuildReport {

  private static final int SLOWEST = 20;
  private static final int FAILS_AT = 4;

  private final List<ClassReport> classes;
  private final Function<ClassReport, SizeTag> sizes;

  BuildReport(List<ClassReport> classes, Function<ClassReport, SizeTag> sizes) {
    this.classes = classes;
    this.sizes = sizes;
  }

  /**
   * Prints the report, and fails if the gate asks for it.
   *
   * @param arguments root of the project; time at which the build began, in ISO 8601; {@code gate} for the gate's
   *     report, {@code short} for that of other builds
   * @throws IOException if a source cannot be read
   */
  public static void main(String[] arguments) throws IOException {
    print(Path.of(arguments[0]), Instant.parse(arguments[1]), arguments[2].equals("gate"), System.out);
  }

  /** Prints the report of what was written since a time. */
  static void print(Path root, Instant since, boolean gate, PrintStream out) throws IOException {
    // Reports of earlier builds stay there until they are cleaned.
    BuildReport report = new BuildReport(ClassReport.readAll(root, since), each -> size(root, each));
    if (gate) {
      report.slowest().forEach(out::println);
    }
    report.aboveTheirSize(1).forEach(out::println);
    out.println(report.skipped());
    List<String> failures = report.aboveTheirSize(FAILS_AT);
    if (gate && !failures.isEmpty()) {
      throw new IllegalStateException("Test classes that take four times what their size tag allows:\n"
          + String.join("\n", failures));
    }
  }

  private static SizeTag size(Path root, ClassReport report) {
    Path source = root.resolve(report.module()).resolve("src/test/java")
        .resolve(report.name().replaceFirst("\\$.*", "").replace('.', '/') + ".java");
    try {
      return Files.exists(source) ? SizeTag.of(Files.readString(source)) : SizeTag.NONE;
    } catch (IOException e) {
      throw new IllegalStateException(source + " cannot be read", e);
    }
  }

  /** Returns the slowest classes, slowest first, with a heading. */
  List<String> slowest() {
    List<String> lines = new ArrayList<>();
    lines.add("Slowest test classes, in seconds:");
    classes.stream().sorted(Comparator.comparingDouble(ClassReport::seconds).reversed()).limit(SLOWEST)
        .forEach(each -> lines.add(line(each)));
    return lines;
  }

  /** Returns the classes that take more than a multiple of what their size tag allows. */
  List<String> aboveTheirSize(int times) {
    return classes.stream().filter(each -> each.seconds() > times * sizes.apply(each).seconds())
        .sorted(Comparator.comparingDouble(ClassReport::seconds).reversed())
        .map(each -> line(each) + ", above " + (int) sizes.apply(each).seconds() + " s: tag it, or make it faster")
        .toList();
  }

  private static String line(ClassReport each) {
    return String.format(Locale.ROOT, "%7.1f  %s %s", each.seconds(), each.module(), each.name());
  }

  /** Returns one line: how many tests were skipped, and for each reason how many and what to install. */
  String skipped() {
    Map<String, Long> reasons = classes.stream().flatMap(each -> each.skipped().stream())
        .collect(Collectors.groupingBy(reason -> reason, TreeMap::new, Collectors.counting()));
    int tests = classes.stream().mapToInt(ClassReport::tests).sum();
    long skipped = reasons.values().stream().mapToLong(Long::longValue).sum();
    if (skipped == 0) {
      return "Skipped none of " + tests + " tests.";
    }
    return "Skipped " + skipped + " of " + tests + " tests: " + reasons.entrySet().stream()
        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
        .map(entry -> entry.getValue() + " (" + entry.getKey() + ")").collect(Collectors.joining(", ")) + ".";
  }
}
