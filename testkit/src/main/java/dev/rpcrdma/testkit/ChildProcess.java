// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A process of a test or a benchmark. What it writes goes to a file, so that nobody has to read it, and a process that
 * it leaves behind holds up nobody. Each wait has a deadline, and each failure has what was written. One thread at a
 * time.
 */
public final class ChildProcess implements AutoCloseable {

  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
  private static final Duration END = Duration.ofSeconds(10);

  private final String name;
  private final Process process;
  private final Path output;
  private final boolean ownsOutput;
  private final Duration deadline;
  /** How much of what was written has been heard. */
  private int heard;

  private ChildProcess(Setup setup, Process process, Path output) {
    this.name = setup.name;
    this.process = process;
    this.output = output;
    this.ownsOutput = setup.output == null;
    this.deadline = setup.deadline;
  }

  /**
   * A program.
   *
   * @param command it, and its arguments
   * @return to be started
   */
  public static Setup command(List<String> command) {
    return new Setup(String.join(" ", command), command);
  }

  /**
   * A JVM like this one, with its class path.
   *
   * @param main the class to run
   * @param arguments its arguments
   * @return to be started
   */
  public static Setup java(Class<?> main, String... arguments) {
    return java(List.of(), System.getProperty("java.class.path"), main, arguments);
  }

  /**
   * A JVM like this one.
   *
   * @param options of the JVM
   * @param classPath its class path
   * @param main the class to run
   * @param arguments its arguments
   * @return to be started
   */
  public static Setup java(List<String> options, String classPath, Class<?> main, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(List.of("-cp", classPath, main.getName()));
    command.addAll(List.of(arguments));
    return new Setup(main.getSimpleName(), command);
  }

  /** How a process is started. */
  public static final class Setup {

    private final String name;
    private final ProcessBuilder builder;
    private Path output;
    private Duration deadline = Duration.ofSeconds(60);

    private Setup(String name, List<String> command) {
      this.name = name;
      this.builder = new ProcessBuilder(command).redirectErrorStream(true);
    }

    /**
     * Adds variables to its environment, which is this process's own.
     *
     * @param variables by name
     * @return this
     */
    public Setup environment(Map<String, String> variables) {
      builder.environment().putAll(variables);
      return this;
    }

    /**
     * Takes a variable from its environment.
     *
     * @param variable its name
     * @return this
     */
    public Setup without(String variable) {
      builder.environment().remove(variable);
      return this;
    }

    /**
     * Sets its working folder.
     *
     * @param folder this process's own unless set
     * @return this
     */
    public Setup directory(Path folder) {
      builder.directory(folder.toFile());
      return this;
    }

    /**
     * Sets where its output goes.
     *
     * @param file which stays; a temporary one unless set
     * @return this
     */
    public Setup output(Path file) {
      output = file;
      return this;
    }

    /**
     * Keeps its errors apart from its output.
     *
     * @param errors where they go
     * @return this
     */
    public Setup errors(ProcessBuilder.Redirect errors) {
      builder.redirectErrorStream(false).redirectError(errors);
      return this;
    }

    /**
     * Gives it no input: it reads its end at once.
     *
     * @return this
     */
    public Setup withoutInput() {
      builder.redirectInput(new File("/dev/null"));
      return this;
    }

    /**
     * Sets how long each wait may take.
     *
     * @param time a minute unless set
     * @return this
     */
    public Setup deadline(Duration time) {
      deadline = time;
      return this;
    }

    /**
     * Starts the process.
     *
     * @return the running process
     * @throws UncheckedIOException if it cannot be started
     */
    public ChildProcess start() {
      try {
        Path file = output == null ? Files.createTempFile(program(), ".out") : output;
        try {
          return new ChildProcess(this, builder.redirectOutput(file.toFile()).start(), file);
        } catch (IOException e) {
          if (output == null) {
            Files.delete(file);
          }
          throw e;
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private String program() {
      return Path.of(builder.command().get(0)).getFileName().toString();
    }
  }

  /**
   * The process.
   *
   * @return its handle
   */
  public Process process() {
    return process;
  }

  /**
   * All that it has written.
   *
   * @return its output, and its errors unless they are kept apart
   */
  public String output() {
    try {
      return new String(Files.readAllBytes(output), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Writes a line to its input.
   *
   * @param line without its end
   */
  public void tell(String line) {
    byte[] bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
    FutureTask<Void> writing = new FutureTask<>(() -> {
      process.getOutputStream().write(bytes);
      process.getOutputStream().flush();
      return null;
    });
    // A thread of its own: a pipe that is full waits for who may never read it.
    Thread writer = new Thread(writing, "to " + name);
    writer.setDaemon(true);
    writer.start();
    try {
      writing.get(deadline.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException | ExecutionException e) {
      killAll();
      throw new AssertionError(name + " does not read " + bytes.length + " bytes: " + output(), e);
    } catch (InterruptedException e) {
      // So that the writer ends, for which a close would wait.
      killAll();
      throw interrupted(e);
    }
  }

  private static AssertionError interrupted(InterruptedException cause) {
    Thread.currentThread().interrupt();
    return new AssertionError("Interrupted", cause);
  }

  /**
   * Waits for the next line that begins so, and skips others. If it does not come, the failure has the threads of a
   * JVM.
   *
   * @param beginning of the line; empty for any
   * @return the rest of the line
   */
  public String hear(String beginning) {
    long end = System.nanoTime() + deadline.toNanos();
    while (true) {
      boolean alive = process.isAlive();
      String written = output();
      for (int next = written.indexOf('\n', heard); next >= 0; next = written.indexOf('\n', heard)) {
        String line = written.substring(heard, next);
        heard = next + 1;
        if (line.startsWith(beginning)) {
          return line.substring(beginning.length()).strip();
        }
      }
      if (!alive || System.nanoTime() - end > 0) {
        throw new AssertionError(name + (alive ? " does not write \"" : " has ended, and not written \"") + beginning
            + "\": " + outputWithThreads());
      }
      pause();
    }
  }

  private static void pause() {
    try {
      TimeUnit.NANOSECONDS.sleep(PAUSE_NANOS);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  /**
   * Tells it something, and waits for the answer.
   *
   * @param line without its end
   * @param beginning of the answer; empty for any
   * @return the rest of the answer
   */
  public String ask(String line, String beginning) {
    tell(line);
    return hear(beginning);
  }

  /** A JVM writes its threads when it gets SIGQUIT, and goes on. */
  private String outputWithThreads() {
    if (process.info().command().filter(program -> program.endsWith("java")).isPresent()) {
      signal("QUIT");
      long end = System.nanoTime() + END.toNanos();
      // Heap comes last.
      while (!output().contains("\nHeap") && process.isAlive() && System.nanoTime() - end < 0) {
        pause();
      }
    }
    return output();
  }

  /**
   * Sends it a signal.
   *
   * @param signal its name, without SIG
   */
  public void signal(String signal) {
    try {
      // A shell has the command kill built in: its program need not be installed.
      Process kill = new ProcessBuilder("/bin/sh", "-c", "kill -" + signal + " " + process.pid()).start();
      if (!kill.waitFor(END.toNanos(), TimeUnit.NANOSECONDS) || kill.exitValue() != 0 && process.isAlive()) {
        throw new AssertionError("No signal " + signal + " to " + name);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  /**
   * Waits for its end.
   *
   * @return its exit status
   */
  public int await() {
    try {
      if (!process.waitFor(deadline.toNanos(), TimeUnit.NANOSECONDS)) {
        throw new AssertionError(name + " does not end: " + output());
      }
      return process.exitValue();
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  /**
   * Kills it by SIGKILL, and waits for its end.
   *
   * @return its exit status
   */
  public int kill() {
    process.destroyForcibly();
    return await();
  }

  /** Ends its input, so that it can end by itself, and kills it if it does not, as {@link #destroy} does. */
  @Override
  public void close() {
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      // It has ended.
    }
    try {
      process.waitFor(END.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      destroy();
    }
  }

  /** Kills it at once, with all that it has begun; of one that has ended nobody knows what that is. */
  public void destroy() {
    killAll();
    try {
      if (ownsOutput) {
        Files.deleteIfExists(output);
      }
    } catch (IOException e) {
      // The temporary folder goes some time.
    }
  }

  private void killAll() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }

  @Override
  public String toString() {
    return name;
  }
}
