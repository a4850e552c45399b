// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.requirements;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Simple names of top-level classes in main code. */
class ClassNamesTest {

  /** Entry points; descriptors; and a call as transports have it, beside the call of a connection. */
  private static final Set<String> SEVERAL = Set.of("Main", "package-info", "module-info", "IncomingCall");

  /** Fails if a class has the simple name of another one. */
  @Test
  @DisplayName("A simple class name exists once in main code")
  void once() throws IOException {
    Map<String, List<Path>> byName = TestTree.mainSources(TestTree.root()).stream()
        .collect(Collectors.groupingBy(each -> each.getFileName().toString().replace(".java", ""), TreeMap::new,
            Collectors.toList()));
    assertThat(byName).hasSizeGreaterThan(1000);
    byName.keySet().removeAll(SEVERAL);
    byName.values().removeIf(files -> files.size() == 1);
    assertThat(byName).as("classes of one name").isEmpty();
  }
}
