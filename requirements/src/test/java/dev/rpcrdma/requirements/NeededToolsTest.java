// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.requirements;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Tests that need more than a JDK say so, and are skipped where it is missing. */
class NeededToolsTest {

  /** Fails if a test has a FakeFabric and not the annotation: a machine without headers would be the first to tell. */
  @Test
  @DisplayName("Tests that compile the false fabric name rdma-core's headers as what they need")
  void headers() throws IOException {
    try (Stream<Path> files = Files.walk(TestTree.root().resolve("provider-ibverbs/src/test/java"))) {
      assertThat(files.filter(file -> file.toString().endsWith("Test.java")).filter(file -> text(file)
          .contains("new FakeFabric("))).hasSizeGreaterThan(9)
          .allMatch(file -> text(file).contains("@NeedsRdmaHeaders"));
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
