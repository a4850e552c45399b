// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.verbs.VerbsException;
import io.vertx.core.json.JsonObject;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Settings of providers, as they are and as they must not be. */
@DisplayName("Values of settings")
final class SettingValuesTest {

  private final JsonObject json = new JsonObject("{\"small\": -7, \"most\": 2147483647, \"more\": 2147483648,"
      + " \"fraction\": 1.5, \"text\": \"1\", \"on\": true, \"off\": false, \"none\": null}");

  private static void assertRefused(String message, ThrowingCallable use) {
    assertThatThrownBy(use).isInstanceOf(VerbsException.class).hasMessage(message)
        .extracting(e -> ((VerbsException) e).kind()).isEqualTo(VerbsException.Kind.INVALID_ARGUMENT);
  }

  private int integer(String name) {
    return SettingValues.integer(json, name, 5, "siw");
  }

  @Test
  @DisplayName("Whole numbers, up to what an int holds, or a long")
  void numbers() {
    assertThat(integer("small")).isEqualTo(-7);
    assertThat(integer("most")).isEqualTo(Integer.MAX_VALUE);
    assertThat(integer("missing")).isEqualTo(5);
    assertThat(SettingValues.whole(json, "more", 5, "siw")).isEqualTo(1L << 31);
    assertThat(SettingValues.whole(json, "small", 5, "siw")).isEqualTo(-7);
    assertRefused("siw setting 'more' must be from -2147483648 to 2147483647, not 2147483648", () -> integer("more"));
    assertRefused("siw setting 'fraction' must be a whole number, not 1.5", () -> integer("fraction"));
    assertRefused("siw setting 'text' must be a whole number, not 1", () -> integer("text"));
    assertRefused("siw setting 'none' must be a whole number, not null", () -> integer("none"));
  }

  @Test
  @DisplayName("True and false, and nothing else")
  void flags() {
    assertThat(SettingValues.flag(json, "on", false, "siw")).isTrue();
    assertThat(SettingValues.flag(json, "off", true, "siw")).isFalse();
    assertThat(SettingValues.flag(json, "missing", true, "siw")).isTrue();
    assertThat(SettingValues.flag(json, "missing", false, "siw")).isFalse();
    assertRefused("siw setting 'text' must be true or false, not 1",
        () -> SettingValues.flag(json, "text", true, "siw"));
    assertRefused("siw setting 'none' must be true or false, not null",
        () -> SettingValues.flag(json, "none", true, "siw"));
  }

  @Test
  @DisplayName("A setting that is not known is refused, with the known ones")
  void names() {
    SettingNames.check(new JsonObject().put("crc", true), Set.of("crc", "other"), "siw setting %s");
    assertRefused("Unknown siw setting 'crd' (did you mean crc?); known are crc, other",
        () -> SettingNames.check(new JsonObject().put("crd", true), Set.of("other", "crc"), "siw setting %s"));
  }
}
