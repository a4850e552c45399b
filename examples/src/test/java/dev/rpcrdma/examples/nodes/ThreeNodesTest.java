// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The example of a node that dies. */
@Timeout(120)
@Tag("large")
class ThreeNodesTest {

  @Test
  @DisplayName("Three nodes serve in turn; when one is killed no call fails, and the others serve all")
  void killed() throws Exception {
    String played = ThreeNodes.run();
    assertThat(played).startsWith("Before {one=100, three=100, two=100}, after {");
    String after = played.substring(played.indexOf("after"));
    assertThat(after).contains("one=", "three=").doesNotContain("two=");
  }
}
