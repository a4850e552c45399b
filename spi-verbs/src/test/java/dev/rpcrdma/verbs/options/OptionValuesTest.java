// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What follows from a declaration. */
class OptionValuesTest {

  private static final OptionSet BASE = new OptionSet("BaseOptions", "option");
  private static final Option<Integer> COUNT =
      BASE.add("limits.count", OptionType.int32(1, 64).unit("calls"), 8, "how many");
  private static final Option<Duration> TIME = BASE.add("limits.time",
      OptionType.duration(Duration.ofMillis(1), Duration.ofDays(1)), Duration.ofSeconds(5), "how long");
  private static final Option<String> NAME = BASE.add("name", OptionType.filledText(), "x", "its name");
  private static final Option<JsonObject> OTHERS =
      BASE.add("others", OptionType.object(), new JsonObject(), "settings of others");
  private static final OptionSet ALL = BASE.extended("AllOptions");
  private static final Option<Optional<String>> KEY =
      ALL.add("key", OptionType.optional(OptionType.text().only("not long", key -> key.length() < 9)), Optional.empty(),
          "who").secret();

  private final OptionValues values = new OptionValues(ALL);

  private static void assertRefused(JsonObject json, String message) {
    assertThatThrownBy(() -> new OptionValues(ALL).read(json)).isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  @Test
  @DisplayName("JSON has all options, those of a group in an object of their own; what is not set is not there")
  void json() {
    assertThat(values.toJson()).isEqualTo(new JsonObject("""
        {"limits": {"count": 8, "time": 5000}, "name": "x", "others": {}}"""));
    JsonObject json = new JsonObject("""
        {"limits": {"count": 9, "time": "PT0.0015S"}, "name": "y", "others": {"a": [1]}, "key": "k"}""");
    assertThat(values.read(json).toJson()).isEqualTo(json);
    assertThat(values.get(TIME)).isEqualTo(Duration.ofNanos(1_500_000));
    assertThat(values.get(KEY)).contains("k");
  }

  @Test
  @DisplayName("What is missing in JSON stays as it is, in a group too")
  void missing() {
    values.set(COUNT, 3);
    values.read(new JsonObject("{\"limits\": {\"time\": 1}}"));
    assertThat(values.get(COUNT)).isEqualTo(3);
    assertThat(values.get(TIME)).isEqualTo(Duration.ofMillis(1));
    assertThat(values.get(NAME)).isEqualTo("x");
  }

  /** Fails if {@code OptionSet.unknown} does not look for the name in other places. */
  @Test
  @DisplayName("A key that is elsewhere is refused with its path")
  void elsewhere() {
    assertRefused(new JsonObject().put("count", 1),
        "The option count is a key of the object limits");
    assertRefused(new JsonObject().put("limits", new JsonObject().put("name", "x")),
        "The option name is no key of limits");
    assertRefused(new JsonObject().put("limits.count", 1), "The option count is a key of the object limits");
    assertRefused(new JsonObject().put("limits", new JsonObject().put("limits.count", 1)),
        "The option count is a key of the object limits, by the name count");
  }

  @Test
  @DisplayName("An unknown key is refused with the nearest one's path, and all that there are")
  void unknown() {
    assertRefused(new JsonObject().put("cont", 1),
        "No such option: cont (did you mean limits.count?); there are key, limits.count, limits.time, name, others");
    assertRefused(new JsonObject().put("limit", new JsonObject()),
        "No such option: limit (did you mean limits?); there are key, limits.count, limits.time, name, others");
    assertRefused(new JsonObject().put("limits", new JsonObject().put("else", 1)),
        "No such option: limits.else; there are key, limits.count, limits.time, name, others");
    assertRefused(new JsonObject().put("limits.cuont", 1), "No such option: limits.cuont (did you mean limits.count?);"
        + " there are key, limits.count, limits.time, name, others");
    assertRefused(new JsonObject().put("", 1),
        "No such option: ; there are key, limits.count, limits.time, name, others");
  }

  @Test
  @DisplayName("A value of another type, or out of its range, is refused with what is allowed")
  void refused() {
    assertRefused(new JsonObject().put("limits", 5), "limits is an object, not 5");
    assertRefused(new JsonObject().put("limits", new JsonObject().put("count", 65)), "count is 1 to 64, not 65");
    assertRefused(new JsonObject().put("limits", new JsonObject().put("count", "1")),
        "count is a whole number, not the text \"1\"");
    assertRefused(new JsonObject().put("name", ""), "name is a text that is not empty, not the text \"\"");
    assertRefused(new JsonObject().putNull("key"), "key is a text, not null");
    assertRefused(new JsonObject().put("others", new JsonArray()), "others is an object, not []");
    assertThatThrownBy(() -> values.set(COUNT, 0)).hasMessage("count is 1 to 64, not 0");
    assertThatThrownBy(() -> values.set(NAME, null)).isInstanceOf(NullPointerException.class).hasMessage("name");
  }

  /** Fails if {@code OptionValues.get}, {@code set} or the copying constructor hands out what it has. */
  @Test
  @DisplayName("What can be changed is copied on its way in and out")
  void copies() {
    JsonObject mine = new JsonObject().put("a", 1);
    values.set(OTHERS, mine);
    mine.put("b", 2);
    values.get(OTHERS).put("c", 3);
    OptionValues copy = new OptionValues(values);
    values.set(COUNT, 5);
    values.toJson().getJsonObject("others").put("d", 4);
    assertThat(copy.get(OTHERS)).isEqualTo(new JsonObject().put("a", 1));
    assertThat(copy.get(COUNT)).isEqualTo(8);
    assertThat(values.get(OTHERS)).isEqualTo(new JsonObject().put("a", 1));
  }

  @Test
  @DisplayName("Values are equal if all are, and text has what is not the default, and no secret")
  void equality() {
    OptionValues other = new OptionValues(ALL);
    assertThat(values).isEqualTo(other).hasSameHashCodeAs(other).hasToString("AllOptions{}");
    values.set(KEY, Optional.of("secret"));
    assertThat(values).isNotEqualTo(other).isNotEqualTo(new OptionValues(BASE));
    other.set(KEY, Optional.of("secret"));
    assertThat(values).isEqualTo(other).hasSameHashCodeAs(other);
    assertThatThrownBy(() -> values.set(KEY, Optional.of("a long secret")))
        .hasMessage("key is not long, not what is there");
    values.set(COUNT, 9);
    assertThat(values).isNotEqualTo(other).hasToString("AllOptions{\"limits\":{\"count\":9},\"key\":\"set\"}");
  }

  @Test
  @DisplayName("Options of another set are refused, and a set that is in use gets no more")
  void sets() {
    OptionValues base = new OptionValues(BASE);
    assertThatThrownBy(() -> base.get(KEY)).isInstanceOf(IllegalStateException.class)
        .hasMessage("key is no option of BaseOptions");
    assertThat(base.get(COUNT)).isEqualTo(8);
    assertThatThrownBy(() -> BASE.add("more", OptionType.flag(), true, "")).isInstanceOf(IllegalStateException.class);
    OptionSet twice = new OptionSet("Twice", "option");
    twice.add("same", OptionType.flag(), true, "");
    assertThatThrownBy(() -> twice.add("same", OptionType.flag(), true, "")).isInstanceOf(IllegalStateException.class);
  }

  @Test
  @DisplayName("The manual is told path, values, default and meaning")
  void manual() {
    assertThat(COUNT.path()).isEqualTo("limits.count");
    assertThat(COUNT.values()).isEqualTo("1 to 64 calls");
    assertThat(TIME.defaultText()).isEqualTo("`5000`");
    assertThat(KEY.defaultText()).isEqualTo("none");
    assertThat(COUNT.sentence()).isEqualTo("how many");
  }
}
