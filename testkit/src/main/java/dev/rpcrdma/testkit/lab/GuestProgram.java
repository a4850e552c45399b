// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit.lab;

import dev.rpcrdma.testkit.ChildProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A program that a test inside the lab's machine runs beside itself. It ends with the test. */
public final class GuestProgram implements AutoCloseable {

  private static final Duration TIME = Duration.ofMinutes(1);
  /** Where the machine is emulated, a JVM that starts beside a busy one has taken more than a minute. */
  private static final Duration START = Duration.ofMinutes(3);

  private final ChildProcess process;

  private GuestProgram(ChildProcess process) {
    this.process = process;
  }

  /**
   * Starts one.
   *
   * @param command the program and its arguments
   * @return the running program
   */
  public static GuestProgram start(String... command) {
    return new GuestProgram(ChildProcess.command(List.of(command)).withoutInput().deadline(START).start());
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
   * Waits until it has ended.
   *
   * @return how it ended
   */
  public LabResult await() {
    return new LabResult(process.await(), process.output());
  }

  /**
   * Waits until it listens, on a device and not on all, for a minute at most.
   *
   * @param address of the device
   * @param port where
   * @return this
   */
  public GuestProgram awaitListening(String address, int port) {
    long deadline = System.nanoTime() + TIME.toNanos();
    String listening = " state LISTEN ps TCP pid " + process.process().pid() + " ";
    String here = " src-addr " + address + ":" + port + " ";
    while (run("rdma", "resource", "show", "cm_id").expectSuccess().output().lines()
        .noneMatch(line -> line.contains(listening) && line.contains(here))) {
      if (!process.process().isAlive() || System.nanoTime() - deadline > 0) {
        throw new AssertionError(process + " does not listen: " + process.output());
      }
    }
    return this;
  }

  /**
   * Waits until a Java program has written a line, for three minutes at most. If it has not, the error has its threads.
   *
   * @param beginning of the line, behind those that were waited for before
   * @return the rest of the line
   */
  public String awaitLine(String beginning) {
    return process.hear(beginning);
  }

  /**
   * Which threads it has.
   *
   * @return the kernel's numbers
   */
  public Set<Long> threads() {
    try (Stream<Path> threads = Files.list(Path.of("/proc", "" + process.process().pid(), "task"))) {
      return threads.map(thread -> Long.valueOf(thread.getFileName().toString())).collect(Collectors.toSet());
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
    return new LabResult(process.kill(), process.output());
  }

  /** Kills it, if it still runs. */
  @Override
  public void close() {
    process.destroy();
  }
}
