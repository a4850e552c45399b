// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Build tools that compile incrementally know what the processors read. */
class IncrementalTest {

  /** Fails if the processor that reads lists of numbers is declared as one that reads interfaces alone. */
  @Test
  @DisplayName("The processor that reads resources is aggregating; that which reads interfaces alone is isolating")
  void declared() throws IOException {
    try (InputStream in = RpcProgramProcessor.class.getResourceAsStream(
        "/META-INF/gradle/incremental.annotation.processors")) {
      assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8).lines()).containsExactlyInAnyOrder(
          RpcProgramProcessor.class.getName() + ",isolating", ProxyGenProcessor.class.getName() + ",aggregating");
    }
  }
}
