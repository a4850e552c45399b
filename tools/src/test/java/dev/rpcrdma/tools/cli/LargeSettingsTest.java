// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Settings of providers that are large numbers. */
class LargeSettingsTest {

  /** Fails if {@code FabricOptions.settings} takes numbers of ten digits for text. */
  @Test
  @DisplayName("A setting of ten digits is a number, and one that is too large is told so")
  void tenDigits() {
    Commands good = new Commands();
    good.run("rping", "--provider", "siw", "--setting", "maxPendingConnections=2000000000", "127.0.0.1:1");
    assertThat(good.err()).doesNotContain("whole number");
    for (String digits : new String[] {"20000000000", "200000000000000000"}) {
      Commands large = new Commands();
      large.run("rping", "--provider", "siw", "--setting", "maxPendingConnections=" + digits, "127.0.0.1:1");
      assertThat(large.err()).contains("is a whole number of 32 bits, not " + digits);
    }
  }
}
