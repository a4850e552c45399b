// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/** The command line as a user meets it: runs commands, and keeps what they print. */
final class Commands {

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  /** Runs a command; gives its exit status. */
  int run(String... arguments) {
    return run(new PrintWriter(out, true), arguments);
  }

  /** Runs a command whose output goes elsewhere. */
  int run(PrintWriter output, String... arguments) {
    CommandLine line = Main.commandLine();
    line.setOut(output);
    line.setErr(new PrintWriter(err, true));
    return line.execute(arguments);
  }

  /** What all commands have printed that went nowhere else. */
  String out() {
    return out.toString();
  }

  /** What all commands have complained. */
  String err() {
    return err.toString();
  }
}
