// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.tools.command.Within;
import java.math.BigInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
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

  @ParameterizedTest
  @ValueSource(strings = {"--rate=1", "--rate=1.5", "--rate=5.0", "--size=1", "--size=5"})
  void inside(String option) {
    assertThat(run(option)).isZero();
  }
}
