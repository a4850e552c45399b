// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.cli;

import dev.rpcrdma.tools.command.Within;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionStrategy;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** Holds options to their ranges before a command begins; a wrong command line is told with the option and its range. */
final class NumberRanges {

  private NumberRanges() {}

  /** Holds all commands of a command line to their ranges. */
  static void hold(CommandLine line) {
    IExecutionStrategy strategy = line.getExecutionStrategy();
    line.setExecutionStrategy(result -> {
      check(result);
      return strategy.execute(result);
    });
    IParameterExceptionHandler handler = line.getParameterExceptionHandler();
    line.setParameterExceptionHandler((e, arguments) -> handler.handleParseException(told(e), arguments));
  }

  private static void check(ParseResult result) {
    for (ParseResult each = result; each != null && !each.isUsageHelpRequested(); each = each.subcommand()) {
      for (OptionSpec option : each.matchedOptions()) {
        check(each.commandSpec().commandLine(), option);
      }
    }
  }

  private static void check(CommandLine line, OptionSpec option) {
    range(option).ifPresent(range -> numbers(option.getValue()).filter(number -> !holds(range, number))
        .map(Number::toString).findFirst().ifPresent(value -> {
          throw new ParameterException(line, text(option, range, value), option, value);
        }));
  }

  /** Finds the numbers of an option that may be given several times, or whose number may be missing. */
  private static Stream<Number> numbers(Object value) {
    if (value instanceof Optional<?> maybe) {
      return maybe.stream().flatMap(NumberRanges::numbers);
    }
    if (value instanceof Collection<?> several) {
      return several.stream().flatMap(NumberRanges::numbers);
    }
    if (value instanceof Map<?, ?> named) {
      return numbers(named.values());
    }
    if (value != null && value.getClass().isArray()) {
      return IntStream.range(0, Array.getLength(value)).mapToObj(i -> Array.get(value, i))
          .flatMap(NumberRanges::numbers);
    }
    return value instanceof Number number ? Stream.of(number) : Stream.empty();
  }

  /** Compares as text has it: the whole part of a number may be within, and the number not. */
  private static boolean holds(Within bounds, Number value) {
    try {
      BigDecimal exact = new BigDecimal(value.toString());
      return exact.compareTo(BigDecimal.valueOf(bounds.from())) >= 0
          && exact.compareTo(BigDecimal.valueOf(bounds.to())) <= 0;
    } catch (NumberFormatException e) {
      // NaN, or infinite.
      return false;
    }
  }

  /** What is no number at all, or too large for one, is told with the range, too. */
  private static ParameterException told(ParameterException failure) {
    return Optional.ofNullable(failure.getArgSpec()).filter(OptionSpec.class::isInstance).map(OptionSpec.class::cast)
        .filter(option -> failure.getValue() != null)
        .flatMap(option -> range(option).map(range -> new ParameterException(failure.getCommandLine(),
            text(option, range, failure.getValue()), failure, option, failure.getValue())))
        .orElse(failure);
  }

  private static String text(OptionSpec option, Within range, String value) {
    return "Invalid value for option '" + option.longestName() + "': '" + value + "' is not a number from "
        + range.from() + " to " + range.to();
  }

  /** The range of an option; empty for those that have none. */
  static Optional<Within> range(ArgSpec option) {
    return option.userObject() instanceof AnnotatedElement field
        ? Optional.ofNullable(field.getAnnotation(Within.class)) : Optional.empty();
  }
}
