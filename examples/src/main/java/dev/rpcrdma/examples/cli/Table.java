// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.cli;

import java.io.PrintWriter;
import java.util.Locale;

/** Rows of names and values. */
record Table(PrintWriter out) {

  void row(String name, String value) {
    out.printf(Locale.ROOT, "%-21s %s%n", name, value);
  }

  void row(String name, long value) {
    row(name, String.format(Locale.ROOT, "%,d", value));
  }

  void line(String text) {
    out.println(text);
  }
}
