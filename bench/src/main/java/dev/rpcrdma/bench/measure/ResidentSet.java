// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** What this process has taken of the machine's memory, as Linux counts it. */
public final class ResidentSet {

  private static final String PEAK = "VmHWM:";

  private ResidentSet() {}

  /**
   * The most so far, of everything: heap, direct memory, code, stacks.
   *
   * @return bytes
   */
  public static long peak() {
    try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
      String line = lines.filter(each -> each.startsWith(PEAK)).findFirst().orElseThrow();
      return Long.parseLong(line.replaceAll("\\D", "")) << 10;
    } catch (IOException e) {
      throw new IllegalStateException("The resident set is read of Linux's /proc", e);
    }
  }
}
