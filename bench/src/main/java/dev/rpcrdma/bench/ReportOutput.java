// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench;

import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Where the figures of a run go. */
final class ReportOutput {

  @Option(names = "--json", paramLabel = "FILE", description = "Write the figures as JSON.")
  private Path json;

  /** Prints them, and writes them if there is a file for them. */
  void publish(Report report) throws IOException {
    report.print(System.out);
    if (json != null) {
      report.write(json);
    }
  }
}
