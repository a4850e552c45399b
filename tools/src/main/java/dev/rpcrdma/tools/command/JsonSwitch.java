// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.command;

import io.vertx.core.json.Json;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Says whether a command prints JSON, and prints it. Nothing else is on its output then; failures are on stderr. */
public final class JsonSwitch {

  private static final Pattern COMMANDS = Pattern.compile("[\\p{C}&&[^\n]]");

  @Option(names = "--json", description = "Print the result as JSON.")
  private boolean asked;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  /** For picocli. */
  public JsonSwitch() {}

  /**
   * Tells whether the result is to be JSON.
   *
   * @return true if {@code --json} was given
   */
  public boolean asked() {
    return asked;
  }

  /**
   * Prints an object or an array over as many lines as it takes.
   *
   * @param json what is printed
   */
  public void print(Object json) {
    PrintWriter out = command.commandLine().getOut();
    out.println(escaped(Json.encodePrettily(json)));
    out.flush();
  }

  /**
   * Prints one of several objects, on a line of its own.
   *
   * @param json what is printed
   */
  public void line(Object json) {
    PrintWriter out = command.commandLine().getOut();
    out.println(escaped(Json.encode(json)));
    out.flush();
  }

  /** JSON lets more stand in strings than a terminal takes for text. */
  private static String escaped(String json) {
    return COMMANDS.matcher(json).replaceAll(found -> found.group().chars()
        .mapToObj(each -> String.format(Locale.ROOT, "\\\\u%04x", each)).collect(Collectors.joining()));
  }
}
