// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A fact can be printed as it is. */
@DisplayName("Facts of a transport")
final class TransportFactTest {

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {"", " ", "two\nlines", "two\rlines"})
  @DisplayName("Nothing, and what is not one line, is refused as a name and as a value")
  void refused(String text) {
    assertThat(new TransportFact("CRC", "on")).hasToString("TransportFact[name=CRC, value=on]");
    assertThatThrownBy(() -> new TransportFact(text, "on")).isInstanceOfAny(
        IllegalArgumentException.class, NullPointerException.class);
    assertThatThrownBy(() -> new TransportFact("CRC", text)).isInstanceOfAny(
        IllegalArgumentException.class, NullPointerException.class);
  }
}
