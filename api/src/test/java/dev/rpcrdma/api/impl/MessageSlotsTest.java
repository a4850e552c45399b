package dev.rpcrdma.api.impl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.verbs.VerbsException;
import io.vertx.core.Future;
import org.junit.jupiter.api.Test;

class MessageSlotsTest {

  @Test
  void moreThanThereIsMemoryForFailsAndDoesNotThrow() {
    Future<MessageSlots> slots = MessageSlots.register(null, 2 * 4096 + 1, 256 * 1024);
    assertThat(slots.cause()).isInstanceOfSatisfying(VerbsException.class,
        e -> assertThat(e.kind()).isEqualTo(VerbsException.Kind.RESOURCES));
  }
}
