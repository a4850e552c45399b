// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.measure;

import dev.rpcrdma.testkit.ChildProcess;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.List;

/**
 * A second JVM with the same class path, so that client and server do not share a heap or a loop. It
 * prints its ports on one line, and ends when its standard input does.
 */
public final class PeerProcess implements AutoCloseable {

  private final ChildProcess process;
  private final int[] ports;

  private PeerProcess(ChildProcess process, int[] ports) {
    this.process = process;
    this.ports = ports;
  }

  /**
   * Starts one.
   *
   * @param main what it runs
   * @param options of its JVM
   * @return when it has said its ports
   */
  public static PeerProcess start(Class<?> main, String... options) {
    ChildProcess process = ChildProcess.java(List.of(options), System.getProperty("java.class.path"), main)
        .errors(ProcessBuilder.Redirect.INHERIT).start();
    try {
      return new PeerProcess(process,
          Arrays.stream(process.hear("").split(" ")).mapToInt(Integer::parseInt).toArray());
    } catch (AssertionError | NumberFormatException e) {
      process.destroy();
      throw new IllegalStateException(main.getSimpleName() + " has not said its ports", e);
    }
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
  public String ask(String question) {
    return process.ask(question, "");
  }

  /** SIGKILL; returns when it is gone. */
  public void kill() {
    process.kill();
  }

  @Override
  public void close() {
    process.close();
  }
}
