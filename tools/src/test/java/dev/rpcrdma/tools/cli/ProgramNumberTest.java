// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Names of programs. */
class ProgramNumberTest {

  @Test
  void eachKnownNameIsRead() {
    assertThat(KnownPrograms.names()).isNotEmpty().allSatisfy(name ->
        assertThat(KnownPrograms.name(new ProgramNumber().convert(name))).isEqualTo(name));
  }
}
