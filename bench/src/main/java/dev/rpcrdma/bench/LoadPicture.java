// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** Draws the figures of {@link LoadCommand}: three rows of bars, one bar for each system. */
final class LoadPicture {

  private static final int WIDTH = 760;
  private static final int PANEL = 196;
  private static final int LEFT = 130;
  private static final int BAR = 20;
  private static final int STEP = 25;
  private static final int LONGEST = 480;

  private final StringBuilder out = new StringBuilder();
  private final List<String> names;
  private final Report report;

  private LoadPicture(List<String> names, Report report) {
    this.names = names;
    this.report = report;
  }

  static void write(Path file, List<String> names, Report report) throws IOException {
    if (file.getParent() != null) {
      Files.createDirectories(file.getParent());
    }
    Files.writeString(file, new LoadPicture(names, report).draw());
  }

  private String draw() {
    int height = 3 * PANEL + 8;
    line("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" role=\"img\" "
        + "aria-label=\"Small calls of each system: rate, latency, CPU time\">", WIDTH, height);
    line("<style>.h{font-size:15px;font-weight:bold}.n{font-size:13px;text-anchor:end}.v{font-size:12px}"
        + "text{fill:#1f2933}.o{fill:#1768ac}.p{fill:#9aa5b1}</style>");
    line("<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>");
    panel(0, "Calls in a second, 64 at a time over one connection (more is better)", "_1_connections_calls", "%,.0f");
    panel(1, "99 of 100 calls take at most, at 10 000 in a second (µs; less is better)", "_rate_10000_p99", "%,.0f");
    panel(2, "CPU time of both processes for a call, at 10 000 in a second (µs; less is better)", "_rate_10000_cpu",
        "%.1f");
    line("</svg>");
    return out.toString();
  }

  private void panel(int number, String title, String figure, String format) {
    int top = number * PANEL + 24;
    line("<text class=\"h\" x=\"12\" y=\"%d\">%s</text>", top, title);
    double most = names.stream().mapToDouble(name -> report.median(name + figure)).max().orElse(1);
    for (int i = 0; i < names.size(); i++) {
      double value = report.median(names.get(i) + figure);
      int y = top + 14 + i * STEP;
      int length = (int) Math.max(1, LONGEST * value / most);
      line("<text class=\"n\" x=\"%d\" y=\"%d\">%s</text>", LEFT - 8, y + 15, names.get(i).replace('_', ' '));
      line("<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>",
          names.get(i).startsWith("siw") ? "o" : "p", LEFT, y, length, BAR);
      line("<text class=\"v\" x=\"%d\" y=\"%d\">%s</text>", LEFT + length + 6, y + 15,
          String.format(Locale.ROOT, format, value));
    }
  }

  private void line(String format, Object... arguments) {
    out.append(String.format(Locale.ROOT, format, arguments)).append('\n');
  }
}
