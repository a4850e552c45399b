// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.requirements.journey;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.testkit.ChildProcess;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * What a reader who follows a small call has to know: the top-level classes of {@code api} and {@code protocol} that
 * are entered between its proxy and its completed future. Providers, the package {@code xdr} and generated code are left
 * out.
 */
class SmallCallTest {

  /** Classes at the end that calls. */
  private static final int MOST_OF_CALLER = 61;
  /** Classes at both ends. */
  private static final int MOST = 91;

  private static Set<String> met(String port) throws Exception {
    Set<String> met = EnteredClasses.between(SmallCall.class, port, "dev.rpcrdma.api.*", "dev.rpcrdma.protocol.*");
    met.removeIf(name -> name.startsWith("dev.rpcrdma.protocol.xdr."));
    return met;
  }

  @Test
  @DisplayName("A small call meets few classes at the end that makes it")
  void caller() throws Exception {
    try (ChildProcess server = ChildProcess.java(SmallCall.class).start()) {
      assertThat(met(server.hear("port "))).hasSizeLessThanOrEqualTo(MOST_OF_CALLER);
    }
  }

  @Test
  @DisplayName("A small call meets few classes at both ends")
  void both() throws Exception {
    assertThat(met("0")).hasSizeLessThanOrEqualTo(MOST);
  }
}
