// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.bridge;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;

/** About how long the text of a JSON value will be, without writing it. */
final class JsonWeight {

  private static final int PER_VALUE = 8;

  private JsonWeight() {}

  /**
   * Whether a text is longer, looking at no more of the value than it takes to know.
   *
   * @param value a JSON value, or anything else, which is not longer
   * @param limit characters
   */
  static boolean exceeds(Object value, int limit) {
    long weight = 0;
    Deque<Object> rest = new ArrayDeque<>();
    rest.push(value == null ? "" : value);
    while (!rest.isEmpty() && weight <= limit) {
      Object next = rest.pop();
      weight += PER_VALUE;
      if (next instanceof JsonObject || next instanceof Map) {
        Map<?, ?> map = next instanceof JsonObject json ? json.getMap() : (Map<?, ?>) next;
        weight += (long) PER_VALUE * map.size();
        for (Object name : map.keySet()) {
          weight += String.valueOf(name).length();
          if (weight > limit) {
            return true;
          }
        }
        pushAll(rest, map.values(), limit);
      } else if (next instanceof JsonArray || next instanceof List) {
        pushAll(rest, next instanceof JsonArray json ? json.getList() : (List<?>) next, limit);
      } else if (next instanceof CharSequence text) {
        weight += text.length();
      } else if (next instanceof Buffer bytes) {
        weight += bytes.length();
      } else if (next instanceof byte[] bytes) {
        weight += bytes.length;
      }
    }
    return weight > limit;
  }

  private static void pushAll(Deque<Object> rest, Iterable<?> values, int limit) {
    for (Object value : values) {
      rest.push(value == null ? "" : value);
      if (rest.size() * PER_VALUE > limit) {
        return;
      }
    }
  }
}
