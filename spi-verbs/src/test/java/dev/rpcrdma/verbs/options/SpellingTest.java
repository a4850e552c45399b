// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.options;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Guesses at misspelled names. */
@DisplayName("Names of settings")
class SpellingTest {

  private static final List<String> KNOWN = List.of("crc", "inlineSize", "maxConnections", "maxConnectionsPerHost");

  /** Fails if {@code Spelling.guess} looks at case, or takes what is far away. */
  @ParameterizedTest
  @CsvSource({"crs, crc", "CRC, crc", "inlinesize, inlineSize", "inlineSizes, inlineSize",
      "maxConections, maxConnections", "xam, ''", "replay, ''", "crxy, ''", "maxConnectionsPerClient, ''", "'', ''"})
  @DisplayName("The nearest name is asked for, unless none is near")
  void guess(String name, String nearest) {
    assertThat(Spelling.guess(name, KNOWN))
        .isEqualTo(nearest.isEmpty() ? "" : " (did you mean " + nearest + "?)");
  }

  /** Fails if {@code Spelling.distance} begins with a row of zeros: letters at the beginning count as well. */
  @Test
  @DisplayName("Letters that are missing at the beginning make a name as different as others")
  void beginning() {
    assertThat(Spelling.guess("abcdef", List.of("xxabcdxx"))).isEmpty();
    assertThat(Spelling.guess("abcdef", List.of("xxabcdef"))).isEqualTo(" (did you mean xxabcdef?)");
  }

  @Test
  @DisplayName("Where nothing is known nothing is guessed")
  void nothing() {
    assertThat(Spelling.guess("crc", List.of())).isEmpty();
  }
}
