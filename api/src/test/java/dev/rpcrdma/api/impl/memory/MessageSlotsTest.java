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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

  /** Fails if {@code MessageSlots.stride} lets slots overlap, takes more than it needs, or is a power of two. */
  @ParameterizedTest(name = "{1} bytes from one slot of {0} bytes to the next")
  @CsvSource({"1, 64", "64, 64", "65, 192", "128, 192", "129, 192", "192, 192", "193, 320", "1024, 1088"})
  void stride(int slotLength, int stride) {
    CountingDomain domain = new CountingDomain();
    MessageSlots slots = Waiting.await(MessageSlots.register(vertx, vertx.createEventLoopContext().nettyEventLoop(),
        domain, 3, slotLength));
    assertThat(slots.offset(0)).isZero();
    assertThat(slots.offset(1)).isEqualTo(stride);
    assertThat(slots.offset(2)).isEqualTo(2 * stride);
    assertThat(slots.memory().length()).isEqualTo(3 * stride);
    Waiting.await(slots.deregister());
    assertThat(domain.registrations()).isZero();
  }
}
