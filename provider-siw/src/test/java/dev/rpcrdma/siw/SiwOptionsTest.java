// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.VerbsProviders;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Settings, and how the provider is found. */
@DisplayName("siw: settings")
final class SiwOptionsTest {

  @Test
  @DisplayName("P-005: no settings are the defaults, with CRCs")
  void defaults() {
    assertThat(SiwOptions.DEFAULT.crc()).isTrue();
    assertThat(SiwOptions.of(new JsonObject())).isEqualTo(SiwOptions.DEFAULT);
    assertThat(SiwOptions.of(new JsonObject().put("crc", false)).crc()).isFalse();
  }

  @Test
  @DisplayName("Each limit has its own place")
  void limits() {
    SiwOptions options = SiwOptions.of(new JsonObject().put("maxPendingConnections", 1)
        .put("maxPendingPerAddress", 2).put("maxConnectionsPerAddress", 3).put("fpduTimeoutMillis", 4)
        .put("startupTimeoutMillis", 5).put("closeTimeoutMillis", 6).put("revokeTimeoutMillis", 7)
        .put("nudgeMillis", 8));
    assertThat(new int[] {options.maxPendingConnections(), options.maxPendingPerAddress(),
        options.maxConnectionsPerAddress(), options.fpduTimeoutMillis(), options.startupTimeoutMillis(),
        options.closeTimeoutMillis(), options.revokeTimeoutMillis(), options.nudgeMillis()})
        .containsExactly(1, 2, 3, 4, 5, 6, 7, 8);
  }

  @Test
  @DisplayName("An unknown setting, a wrong type and a value out of range are named")
  void refused() {
    assertRefused(new JsonObject().put("crcs", true), "crcs");
    assertRefused(new JsonObject().put("crc", "yes"), "siw setting crc is true or false, not the text \"yes\"");
    assertRefused(new JsonObject().putNull("crc"), "true or false");
    assertRefused(new JsonObject().put("nudgeMillis", "20"),
        "siw setting nudgeMillis is a whole number, not the text \"20\"");
    assertRefused(new JsonObject().put("nudgeMillis", 1.9), "whole number");
    assertRefused(new JsonObject().put("nudgeMillis", 1L + (1L << 32)), "nudgeMillis");
    assertRefused(new JsonObject().put("nudgeMillis", 1e300), "nudgeMillis");
    assertRefused(new JsonObject().put("nudgeMillis", -1), "nudgeMillis");
    assertRefused(new JsonObject().put("maxPendingConnections", 0), "maxPendingConnections");
    assertRefused(new JsonObject().put("maxPendingPerAddress", 0), "maxPendingPerAddress");
    assertRefused(new JsonObject().put("maxConnectionsPerAddress", 0), "maxConnectionsPerAddress");
    assertRefused(new JsonObject().put("fpduTimeoutMillis", 0), "fpduTimeoutMillis");
    assertRefused(new JsonObject().put("busyPollMicros", -1), "busyPollMicros");
    assertRefused(new JsonObject().put("busyPollMicros", 1_000_001), "busyPollMicros");
    assertRefused(new JsonObject().put("messagePollMicros", -1), "messagePollMicros");
    assertRefused(new JsonObject().put("messagePollMicros", 1_000_001), "messagePollMicros");
  }

  private static void assertRefused(JsonObject settings, String word) {
    assertThatThrownBy(() -> SiwOptions.of(settings)).isInstanceOf(VerbsException.class)
        .hasMessageContaining(word)
        .extracting(e -> ((VerbsException) e).kind())
        .isEqualTo(VerbsException.Kind.INVALID_ARGUMENT);
  }

  @Test
  @DisplayName("The provider is found on the class path")
  void found() {
    assertThat(VerbsProviders.named("siw").priority()).isZero();
  }
}
