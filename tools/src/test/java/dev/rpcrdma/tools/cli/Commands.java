// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/** The command line as a user meets it: runs commands, and keeps what they print. */
public final class Commands {

  /** The class that a process of the command line begins with. */
  public static final String MAIN = Main.class.getName();

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  /** The command line, with all commands there are. */
  public static CommandLine line() {
    return Main.commandLine();
  }

  /** Begins with nothing printed. */
  public Commands() {}

  /** Runs a command; gives its exit status. */
  public int run(String... arguments) {
    return run(new PrintWriter(out, true), arguments);
  }

  /** Runs a command whose output goes elsewhere. */
  public int run(PrintWriter output, String... arguments) {
    CommandLine line = Main.commandLine();
    line.setOut(output);
    line.setErr(new PrintWriter(err, true));
    return line.execute(arguments);
  }

  /** What all commands have printed that went nowhere else. */
  public String out() {
    return out.toString();
  }

  /** What all commands have complained. */
  public String err() {
    return err.toString();
  }
}
