// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Objects that peers may call. */
class PermitsTest {

  private static final long IDLE = 1000;

  private final Permits permits = new Permits(List.of(), Duration.ofNanos(IDLE));

  private void add(int first, int count, String peer, long now) {
    for (int i = first; i < first + count; i++) {
      permits.add("object " + i, peer, now);
    }
  }

  private void assertFull(String peer, int number, long now) {
    assertThatThrownBy(() -> permits.add("more", peer, now)).isInstanceOfSatisfying(ReplyException.class,
        e -> assertThat(e.failureType()).isEqualTo(ReplyFailure.ERROR))
        .hasMessageStartingWith("The bridge knows " + number + " objects of this peer");
  }

  /** Fails if {@code Permits.expire} keeps an object longer, or drops one earlier, or if a call counts for nothing. */
  @Test
  @DisplayName("An object is permitted until it is idle for longer than it may")
  void idle() {
    permits.add("used", "peer", -IDLE / 2);
    permits.add("idle", "peer", 0);
    assertThat(permits.permits("used", "any", IDLE / 2)).isTrue();
    assertThat(permits.permits("idle", null, IDLE)).isTrue();
    assertThat(permits.permits("used", "any", 3 * IDLE / 2)).isTrue();
    assertThat(permits.permits("idle", null, 2 * IDLE + 1)).isFalse();
    assertThat(permits.permits("used", "any", 5 * IDLE / 2)).isTrue();
    permits.forget("used");
    assertThat(permits.permits("used", "any", 5 * IDLE / 2)).isFalse();
  }

  /** Fails if {@code Permits.add} drops another object for a new one, or if a number stays as it was. */
  @Test
  @DisplayName("No object pushes out another one; a peer has half of what the others leave free")
  void bounded() {
    add(0, 10_000, "greedy", 0);
    permits.add("object 0", "greedy", 0);
    assertFull("greedy", 10_000, IDLE);
    add(10_000, 5_000, "modest", IDLE);
    assertFull("modest", 5_000, IDLE);
    assertThat(permits.permits("object 0", "any", IDLE)).isTrue();
    assertThat(permits.permits("object 9999", "any", IDLE)).isTrue();
    permits.forget("object 10000");
    permits.add("new", "modest", IDLE);
    // All but the two that were called are idle by then.
    add(20_000, 2_500, "greedy", IDLE + 1);
    assertThat(permits.permits("object 1", "any", IDLE + 1)).isFalse();
    assertThat(permits.permits("object 0", "any", IDLE + 1)).isTrue();
  }
}
