// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.testkit.ChildProcess;
import dev.rpcrdma.testkit.Waiting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A command in a process of its own, whose temporary files go to a folder, and that can be sent signals. */
public final class CommandProcess implements AutoCloseable {

  /** It is a JVM, and starts others one after the other, which make keys; beside it other tests run. */
  private static final Duration DEADLINE = Duration.ofMinutes(2);

  private final Path temporary;
  private final ChildProcess process;

  /** Starts one that has a terminal. */
  public CommandProcess(Path folder, String... arguments) throws IOException {
    temporary = Files.createDirectories(folder.resolve("tmp"));
    // Whoever runs tests in the background has SIGINT ignored, which processes inherit.
    List<String> command = new ArrayList<>(List.of("env", "--default-signal",
        Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Djava.io.tmpdir=" + temporary,
        "-Drpcrdma.terminal=true", "-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(List.of(arguments));
    process = ChildProcess.command(command).output(folder.resolve("output")).deadline(DEADLINE).start();
  }

  /** All that it has printed. */
  public String output() {
    return process.output();
  }

  /** Waits until it has printed something. */
  public CommandProcess awaitOutput(String text) {
    Waiting.until(DEADLINE, () -> output().contains(text) || !process.process().isAlive());
    assertThat(output()).contains(text);
    return this;
  }

  /** Waits until it listens; gives the address. */
  public String awaitListening() {
    Pattern line = Pattern.compile("listening on (\\S+)\n");
    Waiting.until(DEADLINE, () -> line.matcher(output()).find() || !process.process().isAlive());
    Matcher found = line.matcher(output());
    assertThat(found.find()).as(output()).isTrue();
    return found.group(1);
  }

  /** Waits until it has a process of its own. */
  public ProcessHandle awaitChild() {
    Waiting.until(DEADLINE,
        () -> process.process().descendants().findAny().isPresent() || !process.process().isAlive());
    return process.process().descendants().findAny().orElseThrow(() -> new AssertionError(output()));
  }

  /** Sends it a signal; gives its exit status. */
  public int end(String signal) {
    process.signal(signal);
    return await();
  }

  /** Waits for its end; gives its exit status. */
  public int await() {
    return process.await();
  }

  /** What it has left behind. */
  public List<Path> left() throws IOException {
    try (Stream<Path> all = Files.walk(temporary)) {
      return all.filter(each -> !each.equals(temporary)).toList();
    }
  }

  @Override
  public void close() {
    process.destroy();
  }
}
