// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which versions of Vert.x will do. */
class VertxVersionTest {

  /** Fails if a version is taken in which methods are missing that this calls. */
  @ParameterizedTest
  @ValueSource(strings = {"4.5.10", "5.0.10", "5.0.0.CR2", "5.1.0", "5.1", "6.0.0"})
  @DisplayName("A version that this was not built for is refused, with its number and what helps")
  void refused(String version) {
    assertThatThrownBy(() -> VertxVersion.isUntried(version)).isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("Vert.x 5.1.1 or newer of 5").hasMessageContaining("finds " + version + ",")
        .hasMessageContaining("vertx-dependencies");
  }

  @ParameterizedTest
  @ValueSource(strings = {"5.1.1", "5.1.1-SNAPSHOT", "5.1.10", "5.2.0.CR1", "5.2.3", "", "unknown", "12345678901.1"})
  @DisplayName("Those that were tried are not, nor what is no version")
  void taken(String version) {
    assertThat(VertxVersion.isUntried(version)).isFalse();
  }

  /** Fails if numbers are compared as texts. */
  @ParameterizedTest
  @ValueSource(strings = {"5.2.4", "5.2.10", "5.12.0", "5.3"})
  @DisplayName("Newer ones are taken, and are known to be newer")
  void untried(String version) {
    assertThat(VertxVersion.isUntried(version)).isTrue();
  }

  /** Fails if the build tries other releases than the log takes for tried. */
  @Test
  @DisplayName("The oldest and the newest are those that the build lists")
  void listed() throws IOException {
    Matcher listed = Pattern.compile("<vertx.releases>(.*)</vertx.releases>")
        .matcher(Files.readString(Path.of("..", "pom.xml")));
    assertThat(listed.find()).isTrue();
    assertThat(listed.group(1).split(" ")).startsWith(VertxVersion.OLDEST.toString())
        .endsWith(VertxVersion.NEWEST_TRIED.toString());
  }

  @Test
  @DisplayName("That of these tests will do")
  void present() {
    assertThatCode(VertxVersion::check).doesNotThrowAnyException();
  }
}
