// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.requirements;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Holds the README's project against the one that each build builds and runs. */
class ReadmeTest {

  /** Blocks whose fence names a file. */
  private static final Pattern FILE = Pattern.compile("(?s)```\\w+ (\\S*\\.\\S+)\n(.*?)```");

  /** Fails if a character of README.md's files, or of those in consumer/src/it/hello, is changed. */
  @Test
  @DisplayName("The files of the README are those of the project that is built")
  void files() throws IOException {
    String readme = Files.readString(TestTree.root().resolve("README.md"));
    Map<String, String> shown = FILE.matcher(readme).results()
        .collect(Collectors.toMap(found -> found.group(1), found -> found.group(2)));
    assertThat(shown).isEqualTo(project(TestTree.root().resolve("consumer/src/it/hello")));
  }

  /** Fails if the files stand behind other parts of README.md. */
  @Test
  @DisplayName("The files come before all other headings")
  void first() throws IOException {
    String readme = Files.readString(TestTree.root().resolve("README.md"));
    int last = FILE.matcher(readme).results().mapToInt(MatchResult::end).max().orElseThrow();
    assertThat(readme.substring(0, last).lines().filter(line -> line.startsWith("## "))).hasSize(1);
  }

  private static Map<String, String> project(Path folder) throws IOException {
    Map<String, String> files = new TreeMap<>();
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        files.put(folder.relativize(file).toString(), Files.readString(file));
      }
    }
    return files;
  }
}
