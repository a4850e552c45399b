// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench;

import dev.rpcrdma.bench.compile.Application;
import dev.rpcrdma.bench.measure.Figure;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How long it takes to compile interfaces, with what is generated for them. */
@Command(name = "compile", mixinStandardHelpOptions = true,
    description = "Compiles interfaces and their records by javac in a process of its own, with the annotation"
        + " processor that writes their proxies and handlers, and without.")
final class CompileCommand implements Callable<Integer> {

  private static final int LONGEST_SECONDS = 120;

  @Option(names = "--procedures", defaultValue = "50", description = "Of all interfaces; default ${DEFAULT-VALUE}.")
  private int procedures;

  @Option(names = "--repetitions", defaultValue = "5", description = "How often; default ${DEFAULT-VALUE}.")
  private int repetitions;

  @Option(names = "--processor", defaultValue = "bench/target/processor", paramLabel = "FOLDER",
      description = "Where the processor's jars are; default ${DEFAULT-VALUE}.")
  private Path processor;

  @Mixin
  private ReportOutput output;

  @Override
  public Integer call() throws IOException {
    Report report = new Report("compile", "bench/run compile --procedures " + procedures + " --repetitions "
        + repetitions, repetitions, 0, 0);
    double[] with = new double[repetitions];
    double[] without = new double[repetitions];
    Path folder = Files.createTempDirectory("rpcrdma-bench");
    try {
      List<Path> sources = Application.write(folder, procedures);
      for (int i = 0; i < repetitions; i++) {
        without[i] = seconds(folder.resolve("without"), sources, "-proc:none");
        with[i] = seconds(folder.resolve("with"), sources, "-processorpath", path());
      }
      report.add(Figure.of("classes", "files", classes(folder.resolve("with"))));
    } finally {
      delete(folder);
    }
    report.add(new Figure("with_processor", "s", with));
    report.add(new Figure("without", "s", without));
    output.publish(report);
    return 0;
  }

  /** One run of javac, whose class files and generated sources go to a folder. */
  private static double seconds(Path to, List<Path> sources, String... options) throws IOException {
    Files.createDirectories(to);
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "javac").toString());
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), "-d", to.toString(), "-s", to.toString()));
    command.addAll(List.of(options));
    sources.forEach(file -> command.add(file.toString()));
    long start = System.nanoTime();
    Process javac = new ProcessBuilder(command).inheritIO().start();
    try {
      if (!javac.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS) || javac.exitValue() != 0) {
        throw new IOException("javac has failed, or takes longer than " + LONGEST_SECONDS + " s");
      }
      return (System.nanoTime() - start) / 1e9;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted", e);
    } finally {
      javac.destroyForcibly();
    }
  }

  /** Its jars: javac knows no wildcards here. */
  private String path() throws IOException {
    try (Stream<Path> jars = Files.list(processor)) {
      return jars.map(jar -> jar.toAbsolutePath().toString()).collect(Collectors.joining(File.pathSeparator));
    }
  }

  private static long classes(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(file -> file.toString().endsWith(".class")).count();
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path file : (Iterable<Path>) all.sorted(Comparator.reverseOrder())::iterator) {
        Files.delete(file);
      }
    }
  }
}
