// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.command;

import java.io.PrintWriter;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;

/**
 * Rows of names and values.
 *
 * @param out where they are printed
 */
public record Table(PrintWriter out) {

  /** Rates below have two digits that are not zero. */
  private static final int LEAST_WHOLE = 10;
  private static final MathContext DIGITS = new MathContext(2);

  /**
   * Prints a row.
   *
   * @param name what it is
   * @param value a text
   */
  public void row(String name, String value) {
    out.printf(Locale.ROOT, "%-21s %s%n", name, value);
  }

  /**
   * Prints a row.
   *
   * @param name what it is
   * @param value a number, which is grouped by thousands
   */
  public void row(String name, long value) {
    row(name, String.format(Locale.ROOT, "%,d", value));
  }

  /**
   * Prints megabytes per second, and what they were measured with.
   *
   * @param name what was measured
   * @param megabytesPerSecond the rate
   * @param how what took its time, too
   */
  public void rate(String name, double megabytesPerSecond, String how) {
    String rate = megabytesPerSecond >= LEAST_WHOLE ? String.format(Locale.ROOT, "%,d", Math.round(megabytesPerSecond))
        : new BigDecimal(megabytesPerSecond).round(DIGITS).stripTrailingZeros().toPlainString();
    row(name, rate + ", " + how);
  }

  /**
   * Prints a line.
   *
   * @param text all of it
   */
  public void line(String text) {
    out.println(text);
  }
}
