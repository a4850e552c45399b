// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.ReplyException;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Replies that wait for an answer. */
class ConversationsTest {

  private static final long TIME = 1000;

  private final Vertx vertx = Vertx.vertx();
  private final Conversations conversations = new Conversations();

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  private Message<Object> message() {
    BlockingQueue<Message<Object>> messages = new LinkedBlockingQueue<>();
    EventBus bus = vertx.eventBus();
    bus.consumer("any", messages::add);
    bus.send("any", "");
    return Waiting.next(messages);
  }

  private void assertFull(Message<Object> reply, String peer, int number, long now) {
    assertThatThrownBy(() -> conversations.add(reply, peer, now, TIME)).isInstanceOf(ReplyException.class)
        .hasMessageStartingWith("The bridge keeps " + number + " replies that wait for an answer of this peer");
  }

  /**
   * Fails if {@code Conversations.add} drops another reply for a new one, or if {@code take} or {@code expire} leaves
   * the number of the peer as it was.
   */
  @Test
  @DisplayName("No reply pushes out another one; a peer has half of what the others leave free, until its time is over")
  void bounded() {
    Message<Object> reply = message();
    UUID first = conversations.add(reply, "greedy", 0, TIME);
    for (int i = 1; i < 10_000; i++) {
      conversations.add(reply, "greedy", 1, TIME);
    }
    assertFull(reply, "greedy", 10_000, 2);
    for (int i = 0; i < 5_000; i++) {
      conversations.add(reply, "modest", 2, TIME);
    }
    assertFull(reply, "modest", 5_000, 2);
    assertThat(conversations.count(2)).isEqualTo(15_000);
    assertThat(conversations.take(first, TIME - 1)).containsSame(reply);
    assertThat(conversations.take(first, TIME - 1)).isEmpty();
    UUID last = conversations.add(reply, "third", TIME - 1, TIME);
    assertThat(conversations.count(TIME)).isEqualTo(15_000);
    assertThat(conversations.count(TIME + 1)).isEqualTo(5_001);
    assertThat(conversations.count(TIME + 2)).isEqualTo(1);
    assertThat(conversations.take(last, 2 * TIME - 1)).isEmpty();
    assertThat(conversations.count(2 * TIME)).isZero();
    for (int i = 0; i < 10_000; i++) {
      conversations.add(reply, "greedy", 2 * TIME, TIME);
    }
    assertFull(reply, "greedy", 10_000, 2 * TIME);
  }
}
