// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageCodec;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Messages that the local event bus takes, and that cannot cross. No sender waits for them. */
class UnsendableMessagesTest {

  private static final String ADDRESS = "there";
  private static final String HALF = "\ud83d";

  private final BridgeBed bed = BridgeBed.of(ADDRESS);
  /** Failures of replies that wait for an answer. */
  private final BlockingQueue<Future<Message<Object>>> replies = new LinkedBlockingQueue<>();

  @AfterEach
  void close() {
    bed.close();
  }

  private enum Headers {
    MANY("The message has 1025 headers, of which 1024 may cross the bridge"),
    HALF_VALUE("The header 'odd' of the message has half of a surrogate pair"),
    HALF_NAME("The header '" + HALF + "' of the message has half of a surrogate pair");

    private final String message;

    Headers(String message) {
      this.message = message;
    }

    DeliveryOptions options() {
      DeliveryOptions options = new DeliveryOptions();
      if (this == MANY) {
        // Several values of one name are never beside the arguments.
        for (int i = 0; i < 1025; i++) {
          options.addHeader("name", Integer.toString(i));
        }
        return options;
      }
      return this == HALF_VALUE ? options.addHeader("odd", "x" + HALF) : options.addHeader(HALF, "x");
    }

    /** Waits for less time than the event bus, so that a timeout is none of these failures. */
    void assertFailure(Future<?> future, boolean whole) {
      Throwable cause = Waiting.awaitFailure(future);
      assertThat(cause).isInstanceOfSatisfying(ReplyException.class,
          e -> assertThat(e.failureType()).isEqualTo(ReplyFailure.ERROR));
      assertThat(cause).hasMessageStartingWith(whole ? message : message.replace(HALF, "?"));
    }
  }

  /** Fails if {@code Deliverer.outcome} keeps a reply before it knows that the reply can cross. */
  @ParameterizedTest
  @EnumSource
  @DisplayName("A reply that cannot cross fails at once, for the caller and for the sender of the reply")
  void reply(Headers headers) {
    bed.there.eventBus().consumer(ADDRESS,
        message -> replies.add(message.replyAndRequest("reply", headers.options())));
    headers.assertFailure(bed.here.eventBus().request(ADDRESS, "x"), false);
    headers.assertFailure(Waiting.next(replies), true);
    assertThat(bed.services.snapshot().conversations()).isZero();
  }

  /** Fails if {@code Forwarder.call} sends what the other end cannot read. */
  @ParameterizedTest
  @EnumSource
  @DisplayName("A request that cannot cross fails at once, with the reason")
  void request(Headers headers) {
    bed.there.eventBus().consumer(ADDRESS, message -> message.reply("reply"));
    headers.assertFailure(bed.here.eventBus().request(ADDRESS, "x", headers.options()), true);
  }

  /** Fails if {@code Forwarder.answered} tells the sender of the answer alone. */
  @ParameterizedTest
  @EnumSource
  @DisplayName("An answer that cannot cross fails at once, for its sender and for the sender of the reply")
  void answer(Headers headers) {
    bed.there.eventBus().consumer(ADDRESS, message -> replies.add(message.replyAndRequest("reply")));
    Message<Object> reply = Waiting.await(bed.here.eventBus().request(ADDRESS, "x"));
    headers.assertFailure(reply.replyAndRequest("answer", headers.options()), true);
    headers.assertFailure(Waiting.next(replies), false);
  }

  private record Named(String name) implements MessageCodec<Headers, Headers> {

    @Override
    public void encodeToWire(Buffer buffer, Headers body) {}

    @Override
    public Headers decodeFromWire(int at, Buffer buffer) {
      return Headers.MANY;
    }

    @Override
    public Headers transform(Headers body) {
      return body;
    }

    @Override
    public byte systemCodecID() {
      return -1;
    }
  }

  /** Fails if {@code BridgePermit} or {@code BridgedBodies.register} takes a name that the other end cannot read. */
  @Test
  @DisplayName("Addresses and names of codecs that cannot cross are refused where they are given")
  void names() {
    assertThat(BridgePermit.address("\u00e4".repeat(512)).address()).hasSize(512);
    for (String address : new String[] {"\u00e4".repeat(512) + "a", HALF}) {
      assertThatThrownBy(() -> BridgePermit.address(address)).isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("up to 1024 bytes in UTF-8, and no half of a surrogate pair");
    }
    bed.callers.addCodec(Headers.class, new Named("a".repeat(255)));
    for (String codec : new String[] {"a".repeat(256), HALF}) {
      assertThatThrownBy(() -> bed.callers.addCodec(Headers.class, new Named(codec)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("up to 255 bytes in UTF-8, and no half of a surrogate pair");
    }
  }
}
