// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.testkit.Waiting;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A command in a process of its own, whose temporary files go to a folder, and that can be sent signals. */
public final class CommandProcess implements AutoCloseable {

  /** It is a JVM, and starts others one after the other, which make keys; beside it other tests run. */
  private static final Duration DEADLINE = Duration.ofMinutes(2);

  private final Path temporary;
  private final Path output;
  private final Process process;

  /** Starts one that has a terminal. */
  public CommandProcess(Path folder, String... arguments) throws IOException {
    temporary = Files.createDirectories(folder.resolve("tmp"));
    output = folder.resolve("output");
    // Whoever runs tests in the background has SIGINT ignored, which processes inherit.
    List<String> command = new ArrayList<>(List.of("env", "--default-signal",
        Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Djava.io.tmpdir=" + temporary,
        "-Drpcrdma.terminal=true", "-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(List.of(arguments));
    process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile()).start();
  }

  /** All that it has printed. */
  public String output() {
    try (InputStream all = Files.newInputStream(output)) {
      return new String(all.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Waits until it has printed something. */
  public CommandProcess awaitOutput(String text) {
    Waiting.until(DEADLINE, () -> output().contains(text) || !process.isAlive());
    assertThat(output()).contains(text);
    return this;
  }

  /** Waits until it listens; gives the address. */
  public String awaitListening() {
    Pattern line = Pattern.compile("listening on (\\S+)\n");
    Waiting.until(DEADLINE, () -> line.matcher(output()).find() || !process.isAlive());
    Matcher found = line.matcher(output());
    assertThat(found.find()).as(output()).isTrue();
    return found.group(1);
  }

  /** Waits until it has a process of its own. */
  public ProcessHandle awaitChild() {
    Waiting.until(DEADLINE, () -> process.descendants().findAny().isPresent() || !process.isAlive());
    return process.descendants().findAny().orElseThrow(() -> new AssertionError(output()));
  }

  /** Sends it a signal; gives its exit status. */
  public int end(String signal) throws IOException, InterruptedException {
    Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).inheritIO().start();
    assertThat(kill.waitFor()).isZero();
    return await();
  }

  /** Waits for its end; gives its exit status. */
  public int await() throws InterruptedException {
    assertThat(process.waitFor(DEADLINE.toSeconds(), TimeUnit.SECONDS)).as(output()).isTrue();
    return process.exitValue();
  }

  /** What it has left behind. */
  public List<Path> left() throws IOException {
    try (Stream<Path> all = Files.walk(temporary)) {
      return all.filter(each -> !each.equals(temporary)).toList();
    }
  }

  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }
}
