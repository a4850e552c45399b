// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.tools.command.Within;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Numbers that are not whole, or larger than any of Java, beside the bounds of an option. */
class WithinTest {

  @Command(name = "bounded")
  static final class Bounded implements Runnable {

    @Option(names = "--rate")
    @Within(from = 1, to = 5)
    private double rate;

    @Option(names = "--size")
    @Within(from = 1, to = 5)
    private BigInteger size;

    @Option(names = "--each")
    @Within(from = 1, to = 5)
    private List<Integer> each;

    @Option(names = "--array", arity = "0..*")
    @Within(from = 1, to = 5)
    private int[] array;

    @Option(names = "--named")
    @Within(from = 1, to = 5)
    private Map<String, Long> named;

    @Option(names = "--maybe", arity = "0..1", fallbackValue = Option.NULL_VALUE)
    @Within(from = 1, to = 5)
    private Optional<Integer> maybe;

    @Override
    public void run() {}
  }

  private static int run(String... arguments) {
    CommandLine line = new CommandLine(new Bounded());
    line.setParameterExceptionHandler((e, all) -> 2);
    NumberRanges.hold(line);
    return line.execute(arguments);
  }

  /** Fails if {@code NumberRanges.holds} compares the whole part of a number, or its last 64 bits. */
  @ParameterizedTest
  @ValueSource(strings = {"--rate=5.5", "--rate=0.9", "--rate=NaN", "--rate=Infinity", "--rate=-1",
      "--size=18446744073709551617", "--size=0", "--size=6"})
  @DisplayName("What is outside by a part, or by more than a long has, is outside")
  void outside(String option) {
    assertThat(run(option)).isEqualTo(2);
  }

  /** Fails if {@code NumberRanges.numbers} passes over one of several numbers, or takes all of them for one. */
  @ParameterizedTest
  @CsvSource({"--each=1 --each=5, 0", "--each=1 --each=6, 2", "--each=0 --each=5, 2", "--array 1 5, 0",
      "--array, 0", "--array 1 5 6, 2", "--array 0 5, 2", "--named=a=1 --named=b=5, 0", "--named=a=1 --named=b=6, 2",
      "--maybe=5, 0", "--maybe=6, 2", "--maybe, 0"})
  @DisplayName("Each of several numbers, and one that may be missing, has the bounds of its option")
  void several(String arguments, int status) {
    assertThat(run(arguments.split(" "))).isEqualTo(status);
  }

  @ParameterizedTest
  @ValueSource(strings = {"--rate=1", "--rate=1.5", "--rate=5.0", "--size=1", "--size=5"})
  void inside(String option) {
    assertThat(run(option)).isZero();
  }
}
