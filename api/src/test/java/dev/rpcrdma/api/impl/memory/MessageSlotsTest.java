// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.verbs.VerbsException;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class MessageSlotsTest {

  private final VertxInternal vertx = (VertxInternal) Vertx.vertx();

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  @Test
  @DisplayName("More slots than there is memory for are a failure, and no exception")
  void tooMany() {
    assertThat(Waiting.awaitFailure(
        MessageSlots.register(vertx, vertx.createEventLoopContext().nettyEventLoop(), null, 2 * 4096 + 1, 256 * 1024)))
        .isInstanceOfSatisfying(VerbsException.class,
            e -> assertThat(e.kind()).isEqualTo(VerbsException.Kind.RESOURCES));
  }
}
