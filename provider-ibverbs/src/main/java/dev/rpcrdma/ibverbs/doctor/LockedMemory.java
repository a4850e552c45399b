// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.doctor;

import dev.rpcrdma.verbs.Finding;
import dev.rpcrdma.verbs.base.Causes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** How much memory this process may lock, which is what registering it does. */
final class LockedMemory {

  private static final String SUBJECT = "locked memory";
  /** A bit of Linux's capabilities: with it there is no limit. */
  private static final int CAP_IPC_LOCK = 14;
  /** What a pool of the default size needs, for a few connections. */
  private static final long ENOUGH = 256L << 20;

  private static final String REMEDY = "Raise the limit: 'ulimit -l unlimited' in the shell that starts Java,"
      + " 'LimitMEMLOCK=infinity' in a systemd unit, '--ulimit memlock=-1' or '--cap-add=IPC_LOCK' for a container";

  private LockedMemory() {}

  /**
   * Looks at the limit.
   *
   * @param process its folder below {@code /proc}
   */
  static Finding examine(Path process) {
    try {
      if (mayLockAll(Files.readAllLines(process.resolve("status")))) {
        return Finding.good(SUBJECT, "This process may lock any amount of memory (CAP_IPC_LOCK)");
      }
      return ofLimit(Files.readAllLines(process.resolve("limits")));
    } catch (IOException | NumberFormatException e) {
      return Finding.warning(SUBJECT, "How much memory this process may lock cannot be read: " + Causes.message(e),
          REMEDY);
    }
  }

  private static boolean mayLockAll(List<String> status) {
    return status.stream().filter(line -> line.startsWith("CapEff:"))
        .anyMatch(line -> (Long.parseUnsignedLong(line.substring("CapEff:".length()).strip(), 16) >> CAP_IPC_LOCK & 1)
            == 1);
  }

  private static Finding ofLimit(List<String> limits) {
    String limit = limits.stream().filter(line -> line.startsWith("Max locked memory")).findFirst()
        .map(line -> line.substring("Max locked memory".length()).strip().split("\\s+")[0]).orElse("unlimited");
    if (limit.equals("unlimited")) {
      return Finding.good(SUBJECT, "This process may lock any amount of memory (ulimit -l)");
    }
    long bytes = Long.parseLong(limit);
    String text = String.format(Locale.ROOT, "This process may lock %,d KiB (ulimit -l). Each connection locks what"
        + " it uses of the memory pool: up to maxPoolBytes for each of them", bytes >> 10);
    return bytes >= ENOUGH ? Finding.good(SUBJECT, text) : Finding.warning(SUBJECT, text, REMEDY);
  }
}
