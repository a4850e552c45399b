// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.decode.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.verbs.capture.read.Conversation;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Calls that are never answered. */
@DisplayName("Calls of a capture that have no reply yet")
final class OpenCallsTest {

  private final OpenCalls<String> calls = new OpenCalls<>();

  private static Conversation connection(int number) {
    return new Conversation(number, new InetSocketAddress("10.0.0.1", 1), new InetSocketAddress("10.0.0.2", 2));
  }

  /** Fails if {@code OpenCalls.removeEldestEntry} keeps all calls, or a repeated call is as old as it was first. */
  @Test
  @DisplayName("The oldest one is forgotten behind 65,536")
  void most() {
    calls.add(connection(1), true, 0, "repeated");
    calls.add(connection(1), true, 1, "oldest");
    for (int i = 2; i < 1 << 16; i++) {
      calls.add(connection(i), true, i, "");
    }
    calls.add(connection(1), true, 0, "repeated");
    assertThat(calls.hasForgotten(connection(1))).isFalse();
    calls.add(connection(1), false, 1, "latest");
    assertThat(calls.hasForgotten(connection(1))).isTrue();
    assertThat(calls.hasForgotten(connection(2))).isFalse();
    assertThat(calls.has(connection(1), true, 1)).isFalse();
    assertThat(calls.remove(connection(1), true, 0)).isEqualTo("repeated");
    assertThat(calls.remove(connection(1), false, 1)).isEqualTo("latest");
    assertThat(calls.remove(connection(1), false, 1)).isNull();
    assertThat(calls.has(connection(2), true, 2)).isTrue();
    assertThat(calls.has(connection(3), true, 2)).isFalse();
  }
}
