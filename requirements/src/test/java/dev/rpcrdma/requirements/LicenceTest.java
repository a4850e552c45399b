// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.requirements;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Each file of code says under which licence it is. */
class LicenceTest {

  private static final String SAID = "// SPDX-License-Identifier: Apache-2.0\n";
  /** What is built, and what the README shows for others to copy. */
  private static final Set<String> OTHERS = Set.of("target", ".git", "it", "resources");

  /** Fails if a file of Java begins with anything else. */
  @Test
  @DisplayName("Files of Java begin with their licence, and the licence and its notice are there")
  void said() throws IOException {
    Path root = TestTree.root();
    List<Path> without;
    try (Stream<Path> files = Files.walk(root)) {
      without = files.filter(file -> file.toString().endsWith(".java"))
          .filter(file -> Stream.of(root.relativize(file).toString().split("/")).noneMatch(OTHERS::contains))
          .filter(file -> !text(file).startsWith(SAID)).toList();
    }
    assertThat(without).isEmpty();
    assertThat(text(root.resolve("LICENSE"))).contains("Apache License");
    assertThat(text(root.resolve("NOTICE"))).contains("IETF Trust");
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
