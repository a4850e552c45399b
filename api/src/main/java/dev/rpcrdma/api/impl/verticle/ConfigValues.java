package dev.rpcrdma.api.impl.verticle;

import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Set;
import java.util.TreeSet;

/** Looks at a configuration in JSON; what is wrong with it is said by its key, with what is allowed. */
public final class ConfigValues {

  private ConfigValues() {}

  /**
   * Refuses keys that nobody knows.
   *
   * @param what the JSON is, for the message
   * @throws IllegalArgumentException if there are others than those that are allowed
   */
  public static void checkKeys(JsonObject json, Set<String> allowed, String what) {
    for (String key : json.fieldNames()) {
      if (!allowed.contains(key)) {
        throw new IllegalArgumentException("No such key in " + what + ": " + key + "; there are "
            + String.join(", ", new TreeSet<>(allowed)));
      }
    }
  }

  /**
   * The value of a key that has to be there.
   *
   * @param allowed what it may be, for the message
   * @throws IllegalArgumentException if it is missing, or something else
   */
  public static <T> T value(JsonObject json, String key, Class<T> type, String allowed) {
    Object value = json.getValue(key);
    if (!type.isInstance(value)) {
      throw new IllegalArgumentException(key + " is " + allowed + ", not " + value);
    }
    return type.cast(value);
  }

  /**
   * A duration, as a whole number of milliseconds or as in ISO 8601.
   *
   * @throws IllegalArgumentException if it is something else
   */
  public static Duration duration(JsonObject json, String key, Duration otherwise) {
    Object value = json.getValue(key);
    if (value == null) {
      return otherwise;
    }
    try {
      if (value instanceof Integer || value instanceof Long) {
        return Duration.ofMillis(((Number) value).longValue());
      }
      if (value instanceof String text) {
        return Duration.parse(text);
      }
    } catch (DateTimeParseException e) {
      // Told below, as all else that is none.
    }
    throw new IllegalArgumentException(
        key + " is a whole number of milliseconds, or a duration such as \"PT1.5S\", not " + value);
  }

  /** The value of a key that need not be there. */
  public static <T> T value(JsonObject json, String key, Class<T> type, String allowed, T otherwise) {
    return json.containsKey(key) ? value(json, key, type, allowed) : otherwise;
  }
}
