// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.options;

import io.vertx.core.json.JsonObject;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Set;
import java.util.TreeSet;

/** Looks at a configuration in JSON; what is wrong with it is said by its key, with what is allowed. */
public final class JsonChecks {

  private JsonChecks() {}

  /**
   * Refuses keys that nobody knows.
   *
   * @param json what has the keys
   * @param allowed those that there are
   * @param what the JSON is, for the message
   * @throws IllegalArgumentException if there are others than those that are allowed
   */
  public static void checkKeys(JsonObject json, Set<String> allowed, String what) {
    for (String key : json.fieldNames()) {
      if (!allowed.contains(key)) {
        throw new IllegalArgumentException("No such key in " + what + ": " + key + Spelling.guess(key, allowed)
            + "; there are " + String.join(", ", new TreeSet<>(allowed)));
      }
    }
  }

  /**
   * The value of a key that has to be there.
   *
   * @param json what has the key
   * @param key its name
   * @param type what its values are
   * @param allowed what it may be, for the message
   * @param <T> what its values are
   * @return the value
   * @throws IllegalArgumentException if it is missing, or something else
   */
  public static <T> T value(JsonObject json, String key, Class<T> type, String allowed) {
    if (!json.containsKey(key)) {
      throw new IllegalArgumentException(key + " is missing: " + allowed);
    }
    return typed(key, json.getValue(key), type, allowed);
  }

  /**
   * The value of a key that need not be there.
   *
   * @param json what may have the key
   * @param key its name
   * @param type what its values are
   * @param allowed what it may be, for the message
   * @param otherwise what is taken without it
   * @param <T> what its values are
   * @return the value
   * @throws IllegalArgumentException if it is something else
   */
  public static <T> T value(JsonObject json, String key, Class<T> type, String allowed, T otherwise) {
    return json.containsKey(key) ? value(json, key, type, allowed) : otherwise;
  }

  /**
   * A duration under a key that need not be there.
   *
   * @param json what may have the key
   * @param key its name
   * @param otherwise what is taken without it
   * @return the duration
   * @throws IllegalArgumentException if it is something else
   */
  public static Duration duration(JsonObject json, String key, Duration otherwise) {
    return json.containsKey(key) ? duration(key, json.getValue(key)) : otherwise;
  }

  /**
   * A value of some type.
   *
   * @param key its name, for the message
   * @param value it
   * @param type what it has to be
   * @param <T> what it has to be
   * @param allowed what it may be, for the message
   * @return the value
   * @throws IllegalArgumentException if it is something else
   */
  public static <T> T typed(String key, Object value, Class<T> type, String allowed) {
    if (!type.isInstance(value)) {
      throw wrong(key, allowed, value);
    }
    return type.cast(value);
  }

  /**
   * A whole number, of whatever type; nothing is rounded or cut.
   *
   * @param key its name, for the message
   * @param value it
   * @param allowed what it may be, for the message
   * @return the number
   * @throws IllegalArgumentException if it is something else, or does not fit into a long
   */
  public static long whole(String key, Object value, String allowed) {
    if (value instanceof Number number) {
      try {
        return new BigDecimal(number.toString()).longValueExact();
      } catch (ArithmeticException | NumberFormatException e) {
        throw wrong(key, allowed, value);
      }
    }
    throw wrong(key, allowed, value);
  }

  /**
   * A whole number of a range, under a key that has to be there.
   *
   * @param json what has the key
   * @param key its name
   * @param least the least that it may be
   * @param most the most that it may be
   * @param allowed what it may be, for the message
   * @return the number
   * @throws IllegalArgumentException if it is missing, or something else
   */
  public static int number(JsonObject json, String key, int least, int most, String allowed) {
    Object value = value(json, key, Object.class, allowed);
    long number = whole(key, value, allowed);
    if (number < least || number > most) {
      throw wrong(key, allowed, value);
    }
    return (int) number;
  }

  /**
   * A duration, as a whole number of milliseconds or as in ISO 8601.
   *
   * @param key its name, for the message
   * @param value it
   * @return the duration
   * @throws IllegalArgumentException if it is something else
   */
  public static Duration duration(String key, Object value) {
    String allowed = "a whole number of milliseconds, or a duration such as \"PT1.5S\"";
    if (value instanceof String text) {
      try {
        return Duration.parse(text);
      } catch (DateTimeParseException e) {
        throw wrong(key, allowed, value);
      }
    }
    return Duration.ofMillis(whole(key, value, allowed));
  }

  /**
   * The JSON form of a duration.
   *
   * @param value a duration
   * @return a whole number of milliseconds, or where it has fractions of these, as in ISO 8601
   */
  public static Object write(Duration value) {
    return value.equals(Duration.ofMillis(value.toMillis())) ? (Object) value.toMillis() : value.toString();
  }

  /**
   * What is wrong with a value.
   *
   * @param key its name
   * @param allowed what it may be
   * @param value what it is
   * @return an exception that says so
   */
  public static IllegalArgumentException wrong(String key, String allowed, Object value) {
    return new IllegalArgumentException(
        key + " is " + allowed + ", not " + (value instanceof String ? "the text \"" + value + "\"" : value));
  }
}
