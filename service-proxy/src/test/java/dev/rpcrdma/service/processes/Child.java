// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processes;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A process of a test. All that it says is in a file of its name. */
final class Child implements AutoCloseable {

  private static final int ANSWER_SECONDS = 60;
  private static final String END = "the end";

  final String name;
  private final Process process;
  private final BlockingQueue<String> said = new LinkedBlockingQueue<>();

  /**
   * Starts.
   *
   * @param log where its file is put
   * @param environment added to this process's own
   */
  Child(String name, Path log, Map<String, String> environment, Class<?> main, List<String> arguments)
      throws IOException {
    this.name = name;
    List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp",
        System.getProperty("java.class.path"), main.getName()));
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(environment);
    process = builder.start();
    Thread reader = new Thread(() -> read(log.resolve(name + ".log")), name);
    reader.setDaemon(true);
    reader.start();
  }

  private void read(Path log) {
    try (BufferedReader in = new BufferedReader(
        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        PrintStream copy = new PrintStream(log.toFile(), StandardCharsets.UTF_8)) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        copy.println(line);
        said.add(line);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      said.add(END);
    }
  }

  void tell(String command) {
    try {
      process.getOutputStream().write((command + "\n").getBytes(StandardCharsets.UTF_8));
      process.getOutputStream().flush();
    } catch (IOException e) {
      throw new AssertionError(name + " does not listen to \"" + command + "\"", e);
    }
  }

  /** The next line that begins so, without its beginning; others are skipped. */
  String hear(String beginning) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(ANSWER_SECONDS);
    try {
      while (true) {
        String line = said.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        if (line == null) {
          throw new AssertionError(name + " has not said \"" + beginning + "\" in " + ANSWER_SECONDS + " s");
        }
        if (line.equals(END)) {
          throw new AssertionError(name + " has ended, and not said \"" + beginning + "\"");
        }
        if (line.startsWith(beginning)) {
          return line.substring(beginning.length()).strip();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("Interrupted", e);
    }
  }

  String ask(String command, String answer) {
    tell(command);
    return hear(answer);
  }

  /** SIGKILL. */
  void kill() {
    process.destroyForcibly();
    process.onExit().join();
  }

  void signal(String signal) throws IOException {
    Process sent = new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).inheritIO().start();
    if (sent.onExit().join().exitValue() != 0) {
      throw new IOException("No signal " + signal + " to " + name);
    }
  }

  /** Its input ends, and so does it. */
  @Override
  public void close() {
    try {
      process.getOutputStream().close();
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        kill();
      }
    } catch (IOException e) {
      kill();
    } catch (InterruptedException e) {
      kill();
      Thread.currentThread().interrupt();
    }
  }
}
