// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.security;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcUser;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Handles of a client that shows one token after the other. */
class TokenHandlesTest {

  private final TokenHandles handles = new TokenHandles();

  private OpaqueAuth give(int number) {
    return new OpaqueAuth(TokenHandles.FLAVOR, handles.add(new RpcUser("user " + number), 0));
  }

  /** Fails if {@code TokenHandles.add} removes nothing, or another handle than the one that was used longest ago. */
  @Test
  @DisplayName("Of more than 512 handles the one is forgotten that was used longest ago")
  void most() {
    List<OpaqueAuth> given = new ArrayList<>(IntStream.range(0, 512).mapToObj(this::give).toList());
    assertThat(handles.user(given.get(0), 0)).isNotNull();
    given.add(give(512));
    assertThat(handles.user(given.get(1), 0)).isNull();
    assertThat(handles.user(given.get(0), 0)).isNotNull();
    for (int i = 2; i < 513; i++) {
      assertThat(handles.user(given.get(i), 0).name()).isEqualTo("user " + i);
    }
  }

  /** Fails if {@code TokenHandles.user} takes a handle at the end of its time, or {@code nanos} overflows. */
  @Test
  @DisplayName("A handle is good until its time is over, which is a year at most")
  void time() {
    OpaqueAuth brief = lasting(Duration.ofNanos(5), 10);
    assertThat(handles.user(brief, 14)).isNotNull();
    assertThat(handles.user(brief, 15)).isNull();
    assertThat(handles.user(brief, 14)).as("forgotten").isNull();
    long year = Duration.ofDays(365).toNanos();
    OpaqueAuth whole = lasting(Duration.ofSeconds(Long.MAX_VALUE), 10);
    assertThat(handles.user(whole, 9 + year)).isNotNull();
    assertThat(handles.user(whole, 10 + year)).isNull();
    assertThat(handles.user(give(1), Long.MAX_VALUE)).as("without an end").isNotNull();
  }

  private OpaqueAuth lasting(Duration time, long now) {
    RpcUser user = new RpcUser("user", new JsonObject(), Optional.of(time));
    return new OpaqueAuth(TokenHandles.FLAVOR, handles.add(user, now));
  }
}
