// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.cli;

import dev.rpcrdma.examples.blobs.TransferRate;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;

/** Rows of names and values. */
record Table(PrintWriter out) {

  /** Rates below have two digits that are not zero. */
  private static final int LEAST_WHOLE = 10;
  private static final MathContext DIGITS = new MathContext(2);

  void row(String name, String value) {
    out.printf(Locale.ROOT, "%-21s %s%n", name, value);
  }

  void row(String name, long value) {
    row(name, String.format(Locale.ROOT, "%,d", value));
  }

  /** Shows megabytes per second, and what they were measured with. */
  void rate(String name, double megabytesPerSecond, String how) {
    String rate = megabytesPerSecond >= LEAST_WHOLE ? String.format(Locale.ROOT, "%,d", Math.round(megabytesPerSecond))
        : new BigDecimal(megabytesPerSecond).round(DIGITS).stripTrailingZeros().toPlainString();
    row(name, rate + ", " + how);
  }

  /** Shows how fast the connection itself is. */
  void rate(TransferRate rate) {
    rate("MB/s there", rate.putMegabytesPerSecond(), "from memory to memory");
    rate("MB/s back", rate.getMegabytesPerSecond(), "from memory to memory");
  }

  void line(String text) {
    out.println(text);
  }
}
