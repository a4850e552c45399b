// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.ibverbs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The system calls of this process, by strace, from its start until {@link #stop}. */
final class SystemCalls {

  private static final int SECONDS = 60;
  /** A call, or its resumption, whose first argument may be a descriptor with what it is of. */
  private static final Pattern LINE = Pattern.compile("^\\d+ +(\\w+)\\((?:\\d+<([^>]*)>)?.*");

  private final Path output;
  private final Process strace;

  private SystemCalls(Path output, Process strace) {
    this.output = output;
    this.strace = strace;
  }

  /**
   * Begins to trace all threads.
   *
   * @return what counts them
   * @throws IOException if strace cannot be started
   * @throws InterruptedException if this thread is interrupted
   */
  static SystemCalls start() throws IOException, InterruptedException {
    Path output = Files.createTempFile("rpcrdma-strace", "");
    Process strace = new ProcessBuilder("strace", "-f", "-y", "-o", output.toString(), "-p",
        Long.toString(ProcessHandle.current().pid())).redirectErrorStream(true).start();
    // It tells when it has attached to the first thread, and attaches to the others at once.
    if (strace.inputReader().readLine() == null) {
      throw new IOException("strace has ended with " + strace.waitFor());
    }
    return new SystemCalls(output, strace);
  }

  /**
   * Ends tracing.
   *
   * @return how many there were, by name and what their descriptor is of
   * @throws IOException if they cannot be read
   * @throws InterruptedException if this thread is interrupted
   */
  Map<String, Integer> stop() throws IOException, InterruptedException {
    new ProcessBuilder(List.of("kill", "-INT", Long.toString(strace.pid()))).start().waitFor();
    if (!strace.waitFor(SECONDS, TimeUnit.SECONDS)) {
      strace.destroyForcibly();
      throw new IOException("strace does not end");
    }
    Map<String, Integer> counts = new TreeMap<>();
    for (String line : Files.readAllLines(output)) {
      Matcher matcher = LINE.matcher(line);
      if (matcher.matches()) {
        counts.merge(name(matcher.group(1), matcher.group(2)), 1, Integer::sum);
      }
    }
    Files.delete(output);
    return counts;
  }

  private static String name(String call, String of) {
    return of == null ? call
        : call + " " + of.replaceAll("^/dev/infiniband/|^anon_inode:|[\\[\\]]", "").replaceAll(":?\\d+$", "");
  }
}
