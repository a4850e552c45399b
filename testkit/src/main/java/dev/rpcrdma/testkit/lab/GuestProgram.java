// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit.lab;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A program that a test inside the lab's machine runs beside itself. It ends with the test. */
public final class GuestProgram implements AutoCloseable {

  private static final int SECONDS = 60;
  /** Where the machine is emulated, a JVM that starts beside a busy one has taken more than a minute. */
  private static final int LINE_SECONDS = 180;
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final String name;
  private final Path output;
  private final Process process;

  private GuestProgram(String name, Path output, Process process) {
    this.name = name;
    this.output = output;
    this.process = process;
  }

  /**
   * Starts one.
   *
   * @param command the program and its arguments
   * @return the running program
   */
  public static GuestProgram start(String... command) {
    try {
      Path output = Files.createTempFile("program", ".out");
      return new GuestProgram(String.join(" ", command), output, new ProcessBuilder(command).redirectErrorStream(true)
          .redirectInput(new File("/dev/null")).redirectOutput(output.toFile()).start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Runs one to its end.
   *
   * @param command the program and its arguments
   * @return how it ended
   */
  public static LabResult run(String... command) {
    try (GuestProgram program = start(command)) {
      return program.await();
    }
  }

  /**
   * Waits until it has ended, for a minute at most.
   *
   * @return how it ended
   */
  public LabResult await() {
    try {
      if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError(name + " does not end: " + output());
      }
      return new LabResult(process.exitValue(), output());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("Interrupted", e);
    }
  }

  /**
   * Waits until it listens, on a device and not on all, for a minute at most.
   *
   * @param address of the device
   * @param port where
   * @return this
   */
  public GuestProgram awaitListening(String address, int port) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    String listening = " state LISTEN ps TCP pid " + process.pid() + " ";
    String here = " src-addr " + address + ":" + port + " ";
    while (run("rdma", "resource", "show", "cm_id").expectSuccess().output().lines()
        .noneMatch(line -> line.contains(listening) && line.contains(here))) {
      if (!process.isAlive() || System.nanoTime() - deadline > 0) {
        throw new AssertionError(name + " does not listen: " + output());
      }
    }
    return this;
  }

  /**
   * Waits until a Java program has written a line, for three minutes at most. If it has not, the error has its threads.
   *
   * @param beginning of the line
   * @return the rest of the line
   */
  public String awaitLine(String beginning) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LINE_SECONDS);
    while (true) {
      boolean alive = process.isAlive();
      String written = output();
      // The last line may be there in part only.
      Optional<String> line = written.substring(0, written.lastIndexOf('\n') + 1).lines()
          .filter(one -> one.startsWith(beginning)).findFirst();
      if (line.isPresent()) {
        return line.get().substring(beginning.length());
      }
      if (!alive || System.nanoTime() - deadline > 0) {
        throw new AssertionError(name + " does not write \"" + beginning + "\": " + outputWithThreads());
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  /**
   * Which threads it has.
   *
   * @return the kernel's numbers
   */
  public Set<Long> threads() {
    try (Stream<Path> threads = Files.list(Path.of("/proc", "" + process.pid(), "task"))) {
      return threads.map(thread -> Long.valueOf(thread.getFileName().toString())).collect(Collectors.toSet());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A JVM writes its threads when it gets SIGQUIT, and goes on. */
  private String outputWithThreads() {
    if (process.isAlive()) {
      run("kill", "-QUIT", "" + process.pid()).expectSuccess();
      // Heap comes last.
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
      while (!output().contains("\nHeap") && process.isAlive() && System.nanoTime() - deadline < 0) {
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
    return output();
  }

  private String output() {
    try {
      return Files.readString(output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Kills it by SIGKILL, and waits until it has ended.
   *
   * @return how it ended
   */
  public LabResult kill() {
    process.destroyForcibly();
    return await();
  }

  /** Kills it, if it still runs. */
  @Override
  public void close() {
    process.destroyForcibly();
  }
}
