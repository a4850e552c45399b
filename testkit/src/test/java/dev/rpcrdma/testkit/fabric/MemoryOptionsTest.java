// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.verbs.DeviceOptions;
import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.VerbsProvider;
import dev.rpcrdma.verbs.VerbsProviders;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Settings, and how the provider is found. */
@DisplayName("memory: settings")
final class MemoryOptionsTest {

  @Test
  @DisplayName("No settings are the defaults, without faults")
  void defaults() {
    assertThat(MemoryOptions.of(new JsonObject())).isEqualTo(MemoryOptions.DEFAULT);
    assertThat(MemoryOptions.DEFAULT).hasToString("MemoryOptions{}");
    MemoryOptions delayed = MemoryOptions.of(new JsonObject().put("minDelayMillis", 3));
    assertThat(delayed.maxDelayMillis()).isEqualTo(3);
    assertThat(delayed)
        .isEqualTo(MemoryOptions.of(new JsonObject().put("minDelayMillis", 3).put("maxDelayMillis", 3)));
  }

  @Test
  @DisplayName("Each setting has its own place")
  void places() {
    MemoryOptions options = MemoryOptions.of(new JsonObject().put("seed", 1L << 40).put("cutAfterMessages", 2)
        .put("cutProbability", 0.3).put("minDelayMillis", 4).put("maxDelayMillis", 5).put("refuseProbability", 1)
        .put("closeTimeoutMillis", 7));
    assertThat(new Object[] {options.seed(), options.cutAfterMessages(), options.cutProbability(),
        options.minDelayMillis(), options.maxDelayMillis(), options.refuseProbability(), options.closeTimeoutMillis()})
        .containsExactly(1L << 40, 2, 0.3, 4, 5, 1.0, 7);
  }

  @Test
  @DisplayName("An unknown setting is named, with those that there are")
  void unknown() {
    assertRefused("cutProbabilty", 0.1, "No such memory setting: cutProbabilty (did you mean cutProbability?); there"
        + " are closeTimeoutMillis, cutAfterMessages, cutProbability, maxDelayMillis, minDelayMillis,"
        + " refuseProbability, seed");
  }

  @Test
  @DisplayName("A setting of a wrong type is named, with what it must be")
  void wrongType() {
    assertRefused("seed", "x", "memory setting seed is a whole number, not the text \"x\"");
    assertRefused("seed", null, "memory setting seed is a whole number, not null");
    assertRefused("cutAfterMessages", 1.5, "memory setting cutAfterMessages is a whole number, not 1.5");
    assertRefused("cutProbability", true, "memory setting cutProbability is a number, not true");
  }

  @Test
  @DisplayName("A setting out of its range is named, with its range")
  void outOfRange() {
    assertRefused("cutAfterMessages", -1, "memory setting cutAfterMessages is 0 or more, not -1");
    assertRefused("cutAfterMessages", 1L << 32,
        "memory setting cutAfterMessages is a whole number of 32 bits, not 4294967296");
    assertRefused("cutProbability", 1.01, "memory setting cutProbability is 0 to 1, not 1.01");
    assertRefused("cutProbability", Double.NaN, "memory setting cutProbability is 0 to 1, not NaN");
    assertRefused("minDelayMillis", -1, "memory setting minDelayMillis is 0 to 60000, not -1");
    assertRefused("maxDelayMillis", 60_001, "memory setting maxDelayMillis is 0 to 60000, not 60001");
    assertRefused("refuseProbability", -0.5, "memory setting refuseProbability is 0 to 1, not -0.5");
    assertRefused("closeTimeoutMillis", 0, "memory setting closeTimeoutMillis is 1 to 60000, not 0");
    assertThatThrownBy(() -> MemoryOptions.of(new JsonObject().put("minDelayMillis", 9).put("maxDelayMillis", 8)))
        .hasMessage("Wrong settings: memory setting maxDelayMillis is 9 to 60000, not 8");
  }

  private static void assertRefused(String name, Object value, String message) {
    assertThatThrownBy(() -> MemoryOptions.of(new JsonObject().put(name, value)))
        .isInstanceOfSatisfying(VerbsException.class,
            e -> assertThat(e.kind()).isEqualTo(VerbsException.Kind.INVALID_ARGUMENT))
        .hasMessage("Wrong settings: " + message);
  }

  @Test
  @DisplayName("The provider is found by its name, and stands behind all others")
  void found() {
    assertThat(VerbsProviders.named("memory").probe().usable()).isTrue();
    assertThat(VerbsProviders.all()).last().matches(last -> last.name().equals("memory"))
        .extracting(VerbsProvider::priority).isEqualTo(Integer.MIN_VALUE);
  }

  @Test
  @DisplayName("A capture is refused, since there are no packets")
  void capture() {
    Vertx vertx = Vertx.vertx();
    assertThatThrownBy(() -> new MemoryProvider().open(vertx, DeviceOptions.DEFAULT.withCapture(Path.of("x.pcapng"))))
        .isInstanceOfSatisfying(VerbsException.class,
            e -> assertThat(e.kind()).isEqualTo(VerbsException.Kind.INVALID_ARGUMENT))
        .hasMessageContaining("siw");
    Waiting.await(vertx.close());
  }
}
