// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.requirements;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * What Vert.x may change from one release to the next is known to one package alone: the rest goes on with each release
 * that this package is right for.
 */
class VertxInternalsTest {

  private static final Pattern INTERNALS =
      Pattern.compile("\\bio\\.vertx\\.core\\.(?:internal|impl)\\.(?!logging\\.)[\\w.]+");
  private static final String SEAM = "spi-verbs/src/main/java/dev/rpcrdma/verbs/vertx/";

  /** Fails if any main class outside of the seam names an internal class of Vert.x. */
  @Test
  @DisplayName("Classes of io.vertx.core.internal are named in one package of the product, other than its loggers")
  void oneSeam() throws IOException {
    Path root = TestTree.root();
    List<String> named = TestTree.mainSources(root).stream().filter(file -> !file.startsWith(SEAM))
        .flatMap(file -> Pattern.compile("\n").splitAsStream(text(root.resolve(file)))
            .filter(line -> line.startsWith("import ") && INTERNALS.matcher(line).find())
            .map(line -> file + ": " + line))
        .toList();
    assertThat(named).isEmpty();
    assertThat(text(root.resolve(SEAM + "Contexts.java"))).containsPattern(INTERNALS);
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
