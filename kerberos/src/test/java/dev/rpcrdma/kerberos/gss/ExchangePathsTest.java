// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.gss;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Choice of the connection that a token goes over. */
class ExchangePathsTest {

  private final ExchangePaths<String> paths = new ExchangePaths<>();

  @Test
  @DisplayName("The oldest connection is asked that owes no answer, one that was silent after all others")
  void order() {
    assertThat(paths.ask()).isEmpty();
    assertThat(paths.best()).isEmpty();
    paths.add("a");
    paths.add("b");
    assertThat(paths.ask()).hasValue("a");
    assertThat(paths.hasAnother()).isTrue();
    assertThat(paths.best()).hasValue("b");
    assertThat(paths.ask()).hasValue("b");
    assertThat(paths.ask()).isEmpty();
    assertThat(paths.hasAnother()).isFalse();
    assertThat(paths.best()).as("better than none").hasValue("a");
    paths.ended("a", false);
    assertThat(paths.hasAnother()).as("it was silent").isFalse();
    assertThat(paths.best()).hasValue("a");
    paths.ended("b", true);
    assertThat(paths.ask()).hasValue("b");
    assertThat(paths.ask()).as("the only one left").hasValue("a");
    paths.ended("a", true);
    paths.ended("b", true);
    assertThat(paths.ask()).as("it answers again").hasValue("a");
  }

  /** Fails if {@code ask} takes the oldest of those that were silent. */
  @Test
  @DisplayName("If all connections have been silent they are asked in turn")
  void allSilent() {
    paths.add("a");
    paths.add("b");
    paths.add("c");
    for (int i = 0; i < 2; i++) {
      for (String each : new String[] {"a", "b", "c"}) {
        assertThat(paths.ask()).hasValue(each);
        paths.ended(each, false);
      }
    }
    paths.ask();
    assertThat(paths.ask()).as("a owes an answer").hasValue("b");
  }

  @Test
  @DisplayName("A connection that has ended is nowhere, whatever becomes of its token later")
  void removed() {
    paths.add("a");
    paths.ask();
    paths.remove("a");
    paths.ended("a", false);
    assertThat(paths.ask()).isEmpty();
    paths.add("a");
    assertThat(paths.hasAnother()).isTrue();
    assertThat(paths.ask()).hasValue("a");
  }
}
