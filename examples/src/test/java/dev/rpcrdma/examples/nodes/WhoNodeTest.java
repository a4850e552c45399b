// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The process of one node. */
@Tag("large")
class WhoNodeTest {

  /**
   * Fails if {@code WhoNode.main} ends by an exception while the threads of its Vert.x live: the process stays, and who
   * has started it waits for its line.
   */
  @Test
  @DisplayName("A node that cannot serve ends, with a status that is not 0")
  void cannotServe() throws IOException, InterruptedException {
    // The testkit has a provider, too.
    String withoutProviders = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(each -> !each.contains("provider-") && !each.contains("testkit"))
        .collect(Collectors.joining(File.pathSeparator));
    Process node = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
        withoutProviders, WhoNode.class.getName(), "lonely", "1", "one")
        .redirectError(ProcessBuilder.Redirect.DISCARD).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
    try {
      assertThat(node.waitFor(100, TimeUnit.SECONDS)).as("has ended").isTrue();
      assertThat(node.exitValue()).isNotZero();
    } finally {
      node.destroyForcibly();
    }
  }
}
