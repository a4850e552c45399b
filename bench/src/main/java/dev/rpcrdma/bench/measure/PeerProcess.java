// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.measure;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A second JVM with the same class path, so that client and server do not share a heap or a loop. It
 * prints its ports on one line, and ends when its standard input does.
 */
public final class PeerProcess implements AutoCloseable {

  private static final int ANSWER_SECONDS = 60;

  private final Process process;
  private final BufferedReader out;
  private final int[] ports;

  private PeerProcess(Process process, BufferedReader out, int[] ports) {
    this.process = process;
    this.out = out;
    this.ports = ports;
  }

  /**
   * Starts one.
   *
   * @param main what it runs
   * @param options of its JVM
   * @return when it has said its ports
   * @throws IOException if it does not
   */
  public static PeerProcess start(Class<?> main, String... options) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(options));
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(main.getName());
    Process process = new ProcessBuilder(command)
        .redirectError(ProcessBuilder.Redirect.INHERIT).start();
    BufferedReader out = new BufferedReader(
        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    String line;
    try {
      line = line(out);
    } catch (IOException e) {
      process.destroyForcibly();
      throw new IOException(main.getSimpleName() + " has not said its ports", e);
    }
    return new PeerProcess(process, out,
        Arrays.stream(line.split(" ")).mapToInt(Integer::parseInt).toArray());
  }

  /**
   * Called in the other process when it has said its ports: waits until standard input ends, and ends the process.
   *
   * @throws IOException if standard input cannot be read
   */
  public static void serve() throws IOException {
    System.in.transferTo(OutputStream.nullOutputStream());
    System.exit(0);
  }

  /**
   * Returns one of the ports that the process has printed.
   *
   * @param index which, from 0
   * @return a port of TCP
   */
  public int port(int index) {
    return ports[index];
  }

  /** Writes a line to the process and reads its answer. */
  public String ask(String question) throws IOException {
    process.getOutputStream().write((question + "\n").getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().flush();
    return line(out);
  }

  /** SIGKILL; returns when it is gone. */
  public void kill() {
    process.destroyForcibly();
    process.onExit().join();
  }

  /** The next line; a process that is stuck must not keep a measurement for ever. */
  private static String line(BufferedReader out) throws IOException {
    CompletableFuture<String> line = new CompletableFuture<>();
    Thread reader = new Thread(() -> {
      try {
        line.complete(out.readLine());
      } catch (IOException e) {
        line.completeExceptionally(e);
      }
    }, "answer");
    reader.setDaemon(true);
    reader.start();
    try {
      String answer = line.get(ANSWER_SECONDS, TimeUnit.SECONDS);
      if (answer == null) {
        throw new IOException("The process has ended");
      }
      return answer;
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException("The process does not answer", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted", e);
    }
  }

  @Override
  public void close() throws IOException {
    process.getOutputStream().close();
    try {
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
