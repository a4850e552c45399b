// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.serviceproxy.ServiceException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Objects that calls have made. */
class ServedObjectsTest {

  private final ServedObjects objects = new ServedObjects();
  private final List<String> closed = new ArrayList<>();

  @Test
  @DisplayName("An object is found by its id and its type alone, and is gone once it is taken")
  void found() {
    UUID id = objects.add("text", () -> { }, System.nanoTime());
    assertThat(objects.find(id, String.class)).isEqualTo("text");
    assertThat(objects.find(id, Integer.class)).isNull();
    assertThat(objects.take(id, Integer.class)).isNull();
    assertThat(objects.find(new UUID(1, 2), String.class)).isNull();
    assertThat(objects.take(id, String.class)).isEqualTo("text");
    assertThat(objects.find(id, String.class)).isNull();
    assertThat(objects.expire(Long.MAX_VALUE)).isFalse();
  }

  @Test
  @DisplayName("What is not called for long is closed; what is called stays")
  void expired() {
    long now = System.nanoTime();
    long before = now - ServedObjects.IDLE_NANOS;
    UUID used = objects.add("used", () -> closed.add("used"), before);
    objects.add("throws", () -> {
      closed.add("throws");
      throw new IllegalStateException("closing");
    }, before);
    objects.add("idle", () -> closed.add("idle"), before);
    UUID fresh = objects.add("new", () -> closed.add("new"), now);
    assertThat(objects.find(used, String.class)).isNotNull();
    assertThat(objects.expire(now)).isTrue();
    assertThat(closed).containsExactly("throws", "idle");
    assertThat(objects.take(fresh, String.class)).isNotNull();
    assertThat(objects.expire(now)).as("what was called is left").isTrue();
    assertThat(objects.find(used, String.class)).isNotNull();
    assertThat(objects.expire(System.nanoTime() + ServedObjects.IDLE_NANOS)).isFalse();
    assertThat(closed).containsExactly("throws", "idle", "used");
  }

  @Test
  @DisplayName("No caller can make objects without end")
  void bounded() {
    for (int i = 0; i < 10_000; i++) {
      objects.add(i, () -> { }, 0);
    }
    assertThatThrownBy(() -> objects.add("more", () -> { }, 0)).isInstanceOf(ServiceException.class)
        .hasMessageContaining("10000 objects");
  }
}
