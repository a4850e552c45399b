// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.decode.gss;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Problems of a capture")
final class ProblemsTest {

  private final Problems problems = new Problems();

  @Test
  @DisplayName("Ten are named, and that there are more is said")
  void named() {
    assertThat(problems.text()).isEmpty();
    String ten = IntStream.rangeClosed(1, 10).mapToObj(i -> "problem " + i).collect(Collectors.joining("; "));
    for (int i = 1; i <= 10; i++) {
      problems.add("problem " + i);
    }
    assertThat(problems.text()).isEqualTo(ten);
    problems.add("problem 11");
    assertThat(problems.text()).isEqualTo(ten + "; and others");
    assertThat(problems.count()).isEqualTo(11);
  }

  @Test
  @DisplayName("Of a problem 500 characters are shown")
  void cut() {
    problems.add("x".repeat(500));
    problems.add("y".repeat(501));
    assertThat(problems.text()).isEqualTo("x".repeat(500) + "; " + "y".repeat(500) + "...");
  }
}
