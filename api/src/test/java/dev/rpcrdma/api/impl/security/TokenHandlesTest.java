// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.security;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcUser;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Handles of a client that shows one token after the other. */
class TokenHandlesTest {

  private final TokenHandles handles = new TokenHandles();

  /** Fails if {@code TokenHandles.add} removes nothing, or another handle than the oldest. */
  @Test
  @DisplayName("The oldest handle is forgotten with the seventeenth")
  void most() {
    List<OpaqueAuth> given = IntStream.range(0, 17).mapToObj(number ->
        new OpaqueAuth(TokenHandles.FLAVOR, handles.add(new RpcUser("user " + number), 0))).toList();
    assertThat(handles.user(given.get(0), 0)).isNull();
    for (int i = 1; i < 17; i++) {
      assertThat(handles.user(given.get(i), 0).name()).isEqualTo("user " + i);
    }
  }
}
