// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Weights of JSON values")
final class JsonWeightTest {

  private static void assertWeight(int weight, Object value) {
    assertThat(JsonWeight.exceeds(value, weight)).as("more than %d", weight).isFalse();
    assertThat(JsonWeight.exceeds(value, weight - 1)).as("at least %d", weight).isTrue();
  }

  @Test
  @DisplayName("Each value, and each name in an object, weighs eight, text and bytes their length in addition")
  void weights() {
    assertWeight(8, null);
    assertWeight(8, 7);
    assertWeight(11, "abc");
    assertWeight(12, Buffer.buffer("abcd"));
    assertWeight(13, new byte[5]);
    assertWeight(8 + 8 + 4 + 8 + 1, Map.of("name", "x"));
    assertWeight(8 + 8 + 4 + 8 + 1, new JsonObject().put("name", "x"));
    assertWeight(8 + 16 + 2 + 9 + 10, new JsonObject().put("a", "x").put("b", "xy"));
    assertWeight(8 + 8 + 9, new JsonArray().addNull().add("x"));
    assertWeight(8 + 8 + 9, Arrays.asList(null, "x"));
    assertWeight(8 + 8 + 1 + 8 + 8 + 9, new JsonObject().put("a", new JsonArray().add(List.of("x"))));
  }

  /** Fails if {@code JsonWeight.exceeds} does not weigh keys. */
  @Test
  @DisplayName("A JSON object with long keys is long")
  void keys() {
    JsonObject json = new JsonObject();
    for (int i = 0; i < 100; i++) {
      json.put("k".repeat(10_000) + i, i);
    }
    assertThat(json.encode().length()).isGreaterThan(1_000_000);
    assertThat(JsonWeight.exceeds(json, 64 * 1024)).isTrue();
  }

  /** Fails if {@code JsonWeight.pushAll} looks at all values of a list. */
  @Test
  @DisplayName("No more of a long list is looked at than it takes to know")
  void bounded() {
    AtomicInteger seen = new AtomicInteger();
    List<String> longest = new AbstractList<>() {
      @Override
      public String get(int index) {
        seen.incrementAndGet();
        return "";
      }

      @Override
      public int size() {
        return Integer.MAX_VALUE;
      }
    };
    assertThat(JsonWeight.exceeds(longest, 800)).isTrue();
    assertThat(seen.get()).isEqualTo(101);
  }
}
