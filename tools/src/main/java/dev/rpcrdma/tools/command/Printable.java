// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.CommandSpec;

/** Text of peers and captures, without the characters that command terminals. */
public final class Printable {

  private static final Pattern COMMANDS = Pattern.compile("[\\p{C}&&[^\t]]");

  private Printable() {}

  /**
   * Returns where a command prints text for people; each text that is printed stays in its line.
   *
   * @param spec the command
   * @return a writer to its standard output
   */
  public static PrintWriter out(CommandSpec spec) {
    return lines(spec.commandLine().getOut());
  }

  /**
   * Returns a writer that replaces what commands terminals, but for the ends of lines.
   *
   * @param out where it writes to
   * @return a writer that flushes with each line
   */
  public static PrintWriter lines(PrintWriter out) {
    return new PrintWriter(new Lines(out), true);
  }

  /**
   * Returns a text in which each character that commands terminals is a question mark.
   *
   * @param text maybe a stranger's
   * @return as many characters
   */
  public static String text(String text) {
    return COMMANDS.matcher(text).replaceAll("?");
  }

  /** Lines whose ends are written on their own, as {@link PrintWriter} does. */
  private static final class Lines extends Writer {

    private final PrintWriter out;

    Lines(PrintWriter out) {
      this.out = out;
    }

    @Override
    public void write(char[] characters, int offset, int length) throws IOException {
      String text = new String(characters, offset, length);
      out.write(text.equals(System.lineSeparator()) ? text : text(text));
    }

    @Override
    public void flush() {
      out.flush();
    }

    @Override
    public void close() {
      out.close();
    }
  }
}
