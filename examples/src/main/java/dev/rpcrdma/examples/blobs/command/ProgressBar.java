// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.blobs.command;

import dev.rpcrdma.examples.blobs.DemoListener;
import dev.rpcrdma.tools.command.Ending;
import dev.rpcrdma.tools.command.Terminal;
import java.io.PrintStream;
import java.util.Locale;

/** Draws progress on one line of a terminal, a few times a second. */
final class ProgressBar implements DemoListener {

  private static final int MOST_WIDTH = 40;
  /** Takes a phase, the percentage and up to 999,999 MB. */
  private static final int TEXT_WIDTH = 31;
  private static final long INTERVAL_NANOS = 50_000_000;

  private final PrintStream out;
  private final int columns;
  private final int width;
  private long last = System.nanoTime() - INTERVAL_NANOS;
  private boolean drawn;
  private boolean ended;

  ProgressBar(PrintStream out, int columns) {
    this.out = out;
    this.columns = columns;
    this.width = Math.max(0, Math.min(MOST_WIDTH, columns - 1 - TEXT_WIDTH));
  }

  @Override
  public synchronized void progress(String phase, long done, long total) {
    long now = System.nanoTime();
    if (ended || now - last < INTERVAL_NANOS && done < total) {
      return;
    }
    last = now;
    drawn = true;
    int filled = total == 0 ? width : (int) (width * done / total);
    String text = String.format(Locale.ROOT, "%-9s [%s%s] %3d %%  %,d MB", phase, "#".repeat(filled),
        ".".repeat(width - filled), total == 0 ? 100 : 100 * done / total, done / 1_000_000);
    // The last column is left free: behind it terminals begin a line.
    out.print("\r" + text.substring(0, Math.min(text.length(), columns - 1)));
    out.flush();
  }

  /** What is shown while it is done. */
  interface Work<T> {

    T run(DemoListener listener) throws Exception;
  }

  /** Does something, and shows how far it is if somebody looks. */
  static <T> T during(boolean json, Work<T> work) throws Exception {
    ProgressBar bar = new ProgressBar(System.err, Terminal.errColumns());
    Ending ending = Ending.of(() -> { }, bar::end);
    try {
      // The script knows of a terminal; Java's own answer differs by version.
      return work.run(!json && Boolean.getBoolean("rpcrdma.terminal") ? bar : DemoListener.SILENT);
    } finally {
      bar.end();
      ending.close();
    }
  }

  /** Leaves the line. */
  synchronized void end() {
    ended = true;
    if (drawn) {
      out.print("\r" + " ".repeat(columns - 1) + "\r");
      out.flush();
    }
  }
}
