// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What values may be, each at its bounds. */
class OptionTypeTest {

  private static <T> T read(OptionType<T> type, Object json) {
    T value = type.read("it", json);
    type.check("it", value, false);
    return value;
  }

  private static void assertRefused(OptionType<?> type, Object json, String message) {
    assertThatThrownBy(() -> read(type, json)).isInstanceOf(IllegalArgumentException.class).hasMessage(message);
  }

  @Test
  @DisplayName("Whole numbers of 32 bits: nothing is rounded or cut")
  void int32() {
    OptionType<Integer> type = OptionType.int32(0, Integer.MAX_VALUE);
    assertThat(read(type, 0)).isZero();
    assertThat(read(type, 2e3)).isEqualTo(2000);
    assertThat(read(type, 1L << 31 - 1)).isEqualTo(1 << 30);
    assertRefused(type, -1, "it is 0 or more, not -1");
    assertRefused(type, 1L << 31, "it is a whole number of 32 bits, not 2147483648");
    assertRefused(type, 1.5, "it is a whole number, not 1.5");
    assertRefused(type, Double.NaN, "it is a whole number, not NaN");
    assertRefused(type, "1", "it is a whole number, not the text \"1\"");
    assertRefused(type, true, "it is a whole number, not true");
    assertRefused(type, null, "it is a whole number, not null");
    assertRefused(OptionType.int32(1, 3), 0, "it is 1 to 3, not 0");
    assertRefused(OptionType.int32(1, 3), 4, "it is 1 to 3, not 4");
  }

  @Test
  @DisplayName("Whole numbers of 64 bits")
  void int64() {
    assertThat(read(OptionType.int64(4096, Long.MAX_VALUE), 1L << 40)).isEqualTo(1L << 40);
    assertRefused(OptionType.int64(4096, Long.MAX_VALUE), 4095, "it is 4096 or more, not 4095");
    assertRefused(OptionType.int64(0, 9), 1e30, "it is a whole number, not 1.0E30");
    assertThat(read(OptionType.int64(), Long.MIN_VALUE)).isEqualTo(Long.MIN_VALUE);
    assertThat(OptionType.int64(1, Long.MAX_VALUE).unit("bytes").words()).isEqualTo("1 bytes or more");
    assertThat(OptionType.int64().words()).isEqualTo("any whole number");
  }

  @Test
  @DisplayName("Numbers with fractions: what is not a number is in no range")
  void real() {
    OptionType<Double> type = OptionType.real(0, 1);
    assertThat(read(type, 1)).isEqualTo(1.0);
    assertThat(read(type, 0.25)).isEqualTo(0.25);
    assertRefused(type, 1.01, "it is 0 to 1, not 1.01");
    assertRefused(type, -0.01, "it is 0 to 1, not -0.01");
    assertRefused(type, Double.NaN, "it is 0 to 1, not NaN");
    assertRefused(type, true, "it is a number, not true");
  }

  @Test
  @DisplayName("Durations: milliseconds, or ISO 8601, which loses nothing; never too long for a number")
  void duration() {
    OptionType<Duration> type = OptionType.duration(Duration.ofMillis(1), Duration.ofDays(1));
    assertThat(read(type, 5)).isEqualTo(Duration.ofMillis(5));
    assertThat(read(type, "PT24H")).isEqualTo(Duration.ofDays(1));
    assertThat(type.write(Duration.ofNanos(1_500_001))).isEqualTo("PT0.001500001S");
    assertThat(type.write(Duration.ofSeconds(2))).isEqualTo(2000L);
    assertRefused(type, 0, "it is 1 ms to 1 day, not PT0S");
    assertRefused(type, "PT24H0.001S", "it is 1 ms to 1 day, not PT24H0.001S");
    assertRefused(type, "PT2562047788015215H", "it is 1 ms to 1 day, not PT2562047788015215H");
    assertRefused(type, "soon", "it is a whole number of milliseconds, or a duration such as \"PT1.5S\", not the text"
        + " \"soon\"");
    assertThat(OptionType.duration(Duration.ZERO, Duration.ofHours(1)).words()).isEqualTo("0 to 1 h");
    assertThat(OptionType.duration(Duration.ofSeconds(1), Duration.ofDays(30)).words()).isEqualTo("1 s to 30 days");
  }

  @Test
  @DisplayName("Flags, texts and constants: nothing is taken for another")
  void words() {
    assertThat(read(OptionType.flag(), false)).isFalse();
    assertRefused(OptionType.flag(), 1, "it is true or false, not 1");
    assertRefused(OptionType.text(), 1, "it is a text, not 1");
    assertRefused(OptionType.filledText(), "", "it is a text that is not empty, not the text \"\"");
    assertThat(read(OptionType.constant(Order.class), "UP")).isEqualTo(Order.UP);
    assertThat(OptionType.constant(TimeUnit.class).write(TimeUnit.DAYS)).isEqualTo("DAYS");
    assertRefused(OptionType.constant(Order.class), "up", "it is one of UP, DOWN, not the text \"up\"");
    assertRefused(OptionType.constant(Order.class), null, "it is one of UP, DOWN, not null");
  }

  private enum Order { UP, DOWN }

  @Test
  @DisplayName("A value that need not be there is bound as one that must")
  void optional() {
    OptionType<Optional<Integer>> type = OptionType.optional(OptionType.int32(1, 3).unit("calls"));
    assertThat(type.write(Optional.empty())).isNull();
    assertThat(read(type, 2)).contains(2);
    assertRefused(type, 4, "it is 1 to 3, not 4");
    assertThat(type.same(Optional.of(1), Optional.of(1))).isTrue();
    assertThat(type.same(Optional.of(1), Optional.empty())).isFalse();
    assertThat(type.same(Optional.of(1), Optional.of(2))).isFalse();
    assertThat(type.words()).isEqualTo("1 to 3 calls");
  }

  @Test
  @DisplayName("A value without a form in JSON is refused there, and is in texts")
  void inMemory() {
    assertRefused(OptionType.inMemory("a lock"), "x", "it has no form in JSON");
    assertThat(OptionType.inMemory("a lock").write(5)).isEqualTo("5");
  }

  /** Fails if {@code OptionType.only}, {@code unit}, {@code copied} or {@code compared} forgets what it had. */
  @Test
  @DisplayName("A type is narrowed, and keeps all else")
  void narrowed() {
    OptionType<JsonObject> type = OptionType.object().compared((one, other) -> one.size() == other.size())
        .only("small", value -> value.size() < 2).unit("keys");
    JsonObject small = new JsonObject().put("a", new JsonArray());
    assertThat(type.copy(small)).isEqualTo(small).isNotSameAs(small);
    assertThat(type.same(small, new JsonObject().put("b", 1))).isTrue();
    assertThat(type.words()).isEqualTo("small keys");
    assertRefused(type, new JsonObject().put("a", 1).put("b", 2), "it is small, not {\"a\":1,\"b\":2}");
  }
}
