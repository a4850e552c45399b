// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.command;

import java.io.PrintWriter;
import picocli.CommandLine;

/** Fits what people read to the width of their terminals, which the script knows; pipes and files get lines as they are. */
public final class Terminal {

  /** Of a terminal that does not say. */
  static final int USUAL = 80;
  /** The least for which help is laid out; it is folded for narrower ones. */
  private static final int LEAST_HELP = 55;
  private static final int MOST_HELP = 120;

  private Terminal() {}

  /**
   * Tells how wide the terminal is that stderr goes to.
   *
   * @return its columns; those of a usual terminal if it does not say
   */
  public static int errColumns() {
    return Integer.getInteger("rpcrdma.columns.err", USUAL);
  }

  /**
   * Has all output of commands fit where there is a terminal.
   *
   * @param line the command line
   */
  public static void fit(CommandLine line) {
    int out = Integer.getInteger("rpcrdma.columns.out", 0);
    if (out > 0) {
      line.setOut(folding(line.getOut(), out));
    }
    int err = Integer.getInteger("rpcrdma.columns.err", 0);
    if (err > 0) {
      line.setErr(folding(line.getErr(), err));
    }
    if (out > 0 || err > 0) {
      fitHelp(line, out > 0 ? out : err);
    }
  }

  /**
   * Lays help out for a width.
   *
   * @param line the command line
   * @param columns of the terminal
   */
  public static void fitHelp(CommandLine line, int columns) {
    line.setUsageHelpWidth(Math.min(Math.max(columns, LEAST_HELP), MOST_HELP));
  }

  /**
   * Folds lines at a width.
   *
   * @param out where they go
   * @param columns of the terminal
   * @return a writer that flushes with each line
   */
  public static PrintWriter folding(PrintWriter out, int columns) {
    return new PrintWriter(new FoldingWriter(out, columns), true);
  }
}
