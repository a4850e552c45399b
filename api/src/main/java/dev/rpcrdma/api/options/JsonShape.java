// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.options;

import dev.rpcrdma.verbs.options.Spelling;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * What a value may be that Vert.x reads by itself: it passes over a name that it does not know, and over a value of
 * another type. Values are in no message, since they may be secrets.
 *
 * @param allowed in words
 * @param fits whether a value is that
 */
record JsonShape(String allowed, Predicate<Object> fits) {

  static final JsonShape TEXT = new JsonShape("a text", String.class::isInstance);
  static final JsonShape TEXTS = new JsonShape("an array of texts", JsonShape::isTexts);
  static final JsonShape FLAG = new JsonShape("true or false", Boolean.class::isInstance);
  static final JsonShape BYTES = new JsonShape("a text in base64url", JsonShape::isBytes);
  static final JsonShape BYTES_EACH = new JsonShape("an array of texts in base64url",
      value -> value instanceof JsonArray all && all.stream().allMatch(JsonShape::isBytes));
  static final JsonShape COUNT = new JsonShape("a whole number above 0",
      value -> (value instanceof Integer || value instanceof Long) && ((Number) value).longValue() > 0);

  static <E extends Enum<E>> JsonShape constant(Class<E> type) {
    TreeSet<String> names = new TreeSet<>();
    for (E constant : type.getEnumConstants()) {
      names.add(constant.name());
    }
    return new JsonShape("one of " + String.join(", ", names),
        value -> value instanceof String && names.contains(value));
  }

  static JsonShape object(Map<String, JsonShape> shapes) {
    return new JsonShape("an object with some of " + String.join(", ", new TreeSet<>(shapes.keySet())),
        JsonObject.class::isInstance);
  }

  /**
   * Looks at all of an object.
   *
   * @param name of the object, for messages
   * @throws IllegalArgumentException for a name that is unknown, or a value of another type
   */
  static JsonObject check(String name, Object value, Map<String, JsonShape> shapes) {
    object(shapes).check(name, value);
    for (Map.Entry<String, Object> entry : (JsonObject) value) {
      JsonShape shape = shapes.get(entry.getKey());
      if (shape == null) {
        throw new IllegalArgumentException("No such name in " + name + ": " + entry.getKey()
            + Spelling.guess(entry.getKey(), shapes.keySet()) + "; there are "
            + String.join(", ", new TreeSet<>(shapes.keySet())));
      }
      shape.check(name + "." + entry.getKey(), entry.getValue());
    }
    return (JsonObject) value;
  }

  private void check(String name, Object value) {
    if (!fits.test(value)) {
      throw new IllegalArgumentException(name + " is " + allowed
          + (value == null ? ", not null" : ", not what is there"));
    }
  }

  private static boolean isTexts(Object value) {
    return value instanceof JsonArray all && all.stream().allMatch(String.class::isInstance);
  }

  private static boolean isBytes(Object value) {
    if (!(value instanceof String text)) {
      return false;
    }
    try {
      return Buffer.fromJson(text) != null;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
