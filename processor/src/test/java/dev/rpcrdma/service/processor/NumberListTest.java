// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A list of numbers is read as it is meant, or refused. */
class NumberListTest {

  @Test
  @DisplayName("A list has the numbers of what is there, and knows those of what is gone")
  void parsed() {
    NumberList list = NumberList.parse("f", """
        # of X

        program 536870913 version 3
        1 a(int): void
        removed 2 b(): void
          7 c(java.util.List<java.lang.String>, int): void
        removed 9 b(): void
        """);
    assertThat(list.program()).isEqualTo(0x20000001);
    assertThat(list.version()).isEqualTo(3);
    assertThat(list.numbers()).isEqualTo(Map.of("a(int): void", 1,
        "c(java.util.List<java.lang.String>, int): void", 7));
    assertThat(list.continued(List.of("d(): void", "e(): void"))).containsExactly("10 d(): void", "11 e(): void");
    assertThat(list.line("a(int): void")).isEqualTo("1 a(int): void");
    assertThat(NumberList.parse("f", "program 0xffffffff version 1").program()).isEqualTo(-1);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
      "''|f, line 1: \"program <number> version <number>\" is missing",
      "1 a(): void|f, line 1: \"program <number> version <number>\" comes first",
      "program 1|f, line 1: \"program",
      "program 4294967296 version 1|f, line 1: a number has 32 bits, unlike 4294967296",
      "program 1 version 1;a(): void|f, line 2: a method is",
      "program 1 version 1;0 a(): void|f, line 2: numbers rise",
      "program 1 version 1;2 a(): void;2 b(): void|f, line 3: numbers rise, so that none is given",
      "program 1 version 1;removed 2 a(): void;1 b(): void|f, line 3: numbers rise",
      "program 1 version 1;1 a(): void;2 a(): void|f, line 3: a(): void has a number already"})
  @DisplayName("What is no list is refused, with the line")
  void refused(String lines, String message) {
    assertThatThrownBy(() -> NumberList.parse("f", lines.replace(';', '\n')))
        .isInstanceOf(IllegalArgumentException.class).hasMessageStartingWith(message);
  }
}
