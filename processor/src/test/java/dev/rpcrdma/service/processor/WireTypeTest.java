// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sizes of types, of which -1 is that of a type without bound. */
class WireTypeTest {

  /** Fails if {@code WireType.sum} looks at one size alone, or adds without a bound. */
  @ParameterizedTest
  @CsvSource({"1, 2, 3", "-1, 1, -1", "1, -1, -1", "-1, -1, -1", "2147483646, 1, 2147483647", "2147483647, 1, -1",
      "2147483647, 2147483647, -1"})
  @DisplayName("A sum has a bound if both sizes have one, and a message can have the sum")
  void sums(long one, long other, long sum) {
    assertThat(WireType.sum(one, other)).isEqualTo(sum);
  }
}
