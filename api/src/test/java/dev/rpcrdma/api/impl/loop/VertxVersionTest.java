// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.loop;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which versions of Vert.x will do. */
class VertxVersionTest {

  /** Fails if a version is taken in which methods are missing that this calls. */
  @ParameterizedTest
  @ValueSource(strings = {"4.5.10", "5.0.10", "5.0.0.CR2", "6.0.0"})
  @DisplayName("A version that this was not built for is refused, with its number and what helps")
  void refused(String version) {
    assertThatThrownBy(() -> VertxVersion.check(version)).isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("Vert.x 5.1").hasMessageContaining("finds " + version + ",")
        .hasMessageContaining("vertx-dependencies");
  }

  @ParameterizedTest
  @ValueSource(strings = {"5.1.0", "5.1.1-SNAPSHOT", "5.12.3", "", "unknown"})
  @DisplayName("The others are not, nor what is no version")
  void taken(String version) {
    assertThatCode(() -> VertxVersion.check(version)).doesNotThrowAnyException();
  }

  @Test
  @DisplayName("That of these tests will do")
  void present() {
    assertThatCode(VertxVersion::check).doesNotThrowAnyException();
  }
}
