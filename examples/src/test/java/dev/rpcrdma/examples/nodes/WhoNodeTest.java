// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.testkit.ChildProcess;
import java.io.File;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
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
    try (ChildProcess node = ChildProcess.java(List.of(), withoutProviders, WhoNode.class, "lonely", "1", "one")
        .deadline(Duration.ofSeconds(100)).start()) {
      assertThat(node.await()).isNotZero();
    }
  }
}
