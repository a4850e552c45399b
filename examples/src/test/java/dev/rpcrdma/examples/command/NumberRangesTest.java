// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.tools.cli.Commands;
import dev.rpcrdma.tools.command.Within;
import java.lang.reflect.AnnotatedElement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** Options that are numbers, of every command. */
class NumberRangesTest {

  /** What commands do not begin without. */
  private static final Map<String, List<String>> REQUIRED = Map.of("ping", List.of("127.0.0.1:1", "--program", "1"),
      "info", List.of("127.0.0.1:1"), "nfs3", List.of("--export", "none"));

  private final Commands commands = new Commands();

  /** A command and a number that it takes. */
  record Numeric(String command, OptionSpec option) {

    @Override
    public String toString() {
      return command + " " + option.longestName();
    }
  }

  static Stream<Numeric> numbers() {
    return Commands.line().getSubcommands().entrySet().stream().flatMap(entry -> options(entry.getValue())
        .filter(option -> isNumber(option) && option.converters().length == 0)
        .map(option -> new Numeric(entry.getKey(), option)));
  }

  private static Stream<OptionSpec> options(CommandLine command) {
    return command.getCommandSpec().options().stream();
  }

  private static boolean isNumber(OptionSpec option) {
    return List.of(int.class, long.class, Integer.class, Long.class, double.class).contains(option.type());
  }

  private int run(String command, String... more) {
    List<String> all = new ArrayList<>(List.of(command));
    all.addAll(REQUIRED.getOrDefault(command, List.of()));
    all.addAll(List.of(more));
    return commands.run(all.toArray(String[]::new));
  }

  /** Fails if an option that is a number has no {@link Within}, or {@code Main} does not hold commands to it. */
  @ParameterizedTest
  @MethodSource("numbers")
  @DisplayName("What is outside of an option's range, or is no number, ends with status 2, the option and its range")
  void outside(Numeric numeric) {
    Within range = ((AnnotatedElement) numeric.option.userObject()).getAnnotation(Within.class);
    String name = numeric.option.longestName();
    for (String value : List.of(String.valueOf(range.from() - 1), String.valueOf(range.to() + 1),
        "99999999999999999999", "many")) {
      assertThat(run(numeric.command, name + "=" + value)).as(value).isEqualTo(2);
      assertThat(commands.err()).contains("Invalid value for option '" + name + "': '" + value
          + "' is not a number from " + range.from() + " to " + range.to());
    }
    assertThat(commands.out()).isEmpty();
  }

  /** Fails if {@link #numbers} finds none of them any more. */
  @Test
  void allAreFound() {
    assertThat(numbers().map(Numeric::toString)).contains("ping --count", "ping --timeout", "info --timeout",
        "ranges --size", "ranges --memory", "rping --port", "rping --count", "rping --size", "rping --timeout",
        "nfs3 --port", "nfs3 --mount-port", "nfs3 --tcp-port");
  }

  /** Fails if {@code NumberRanges.holds} leaves a bound out of its range. */
  @ParameterizedTest
  @CsvSource({"--timeout, 1", "--timeout, 86400", "--count, 0", "--count, 1000000"})
  @DisplayName("Both ends of a range are in it: the command begins, and finds nobody there")
  void bounds(String option, String value) {
    assertThat(run("ping", option, value)).isEqualTo(1);
  }

  /** Fails if {@code Unsigned} takes what is no number of 32 bits. */
  @ParameterizedTest
  @ValueSource(strings = {"-1", "4294967296", "0x100000000", "nfsx"})
  void numbersOfPrograms(String value) {
    for (String option : List.of("--program", "--version")) {
      assertThat(commands.run("ping", "127.0.0.1:1", "--program=1", option + "=" + value)).isEqualTo(2);
      assertThat(commands.err()).contains("option '" + option + "'", "from 0 to 4294967295");
    }
  }

  /** Fails if {@code HostPort} takes what is no port to connect to. */
  @ParameterizedTest
  @ValueSource(strings = {"0", "65536", "-1"})
  void ports(String port) {
    assertThat(commands.run("ping", "127.0.0.1:" + port, "--program=1")).isEqualTo(2);
    assertThat(commands.run("info", "127.0.0.1:" + port)).isEqualTo(2);
    assertThat(commands.run("cluster", "--member", "127.0.0.1:" + port)).isEqualTo(2);
    assertThat(commands.err()).contains("HOST:PORT", "--member").contains("(the port is from 1 to 65535)");
  }

  @Test
  @DisplayName("Help is shown whatever else stands there")
  void help() {
    assertThat(run("ping", "--count=-1", "--help")).isZero();
    assertThat(commands.out()).startsWith("Usage: ");
  }
}
