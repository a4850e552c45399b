// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcCaller;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.service.impl.PeerShares;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageCodec;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Codecs that throw anything, wherever the bridge or the event bus calls them. No sender waits, nothing stays. */
class ThrowingCodecsTest {

  private static final String ADDRESS = "there";
  private static final DeliveryOptions SOON = new DeliveryOptions().setSendTimeout(5000);

  private final BridgeBed bed = BridgeBed.of(ADDRESS);

  /** Body that no codec encodes. */
  private record Unwritable() {}

  /** Body that throws when its consumer asks for it, as a message of a cluster does. */
  private record Unreadable(AtomicBoolean copied) {

    Unreadable() {
      this(new AtomicBoolean());
    }
  }

  /** Body whose codec throws what cannot even say what it is. */
  private record Mute() {}

  private static final class MuteException extends RuntimeException {

    private static final long serialVersionUID = 1;

    @Override
    public String getMessage() {
      throw new IllegalStateException("mute");
    }
  }

  private record Throwing<T>(String name) implements MessageCodec<T, T> {

    @Override
    public void encodeToWire(Buffer buffer, T body) {
      if (body instanceof Mute) {
        throw new MuteException();
      }
      throw new AssertionError("encodeToWire");
    }

    @Override
    public T decodeFromWire(int at, Buffer buffer) {
      throw new AssertionError("decodeFromWire");
    }

    /** Called when the message is copied for its consumer; as the result is null, again when the consumer asks. */
    @Override
    public T transform(T body) {
      if (body instanceof Unreadable unreadable && !unreadable.copied.getAndSet(true)) {
        return null;
      }
      if (body instanceof Unreadable) {
        throw new AssertionError("transform");
      }
      return body;
    }

    @Override
    public byte systemCodecID() {
      return -1;
    }
  }

  ThrowingCodecsTest() {
    for (Vertx vertx : new Vertx[] {bed.here, bed.there}) {
      vertx.eventBus().registerDefaultCodec(Unreadable.class, new Throwing<>("unreadable"));
      vertx.eventBus().registerDefaultCodec(Unwritable.class, new Throwing<>("unwritable"));
      vertx.eventBus().registerDefaultCodec(Mute.class, new Throwing<>("mute"));
    }
    for (EventBusBridge bridge : new EventBusBridge[] {bed.callers, bed.services}) {
      bridge.addCodec(Unreadable.class, new Throwing<>("unreadable"));
      bridge.addCodec(Unwritable.class, new Throwing<>("unwritable"));
      bridge.addCodec(Mute.class, new Throwing<>("mute"));
    }
  }

  @AfterEach
  void close() {
    bed.close();
  }

  private static void assertError(Throwable cause, String part) {
    assertThat(cause).isInstanceOfSatisfying(ReplyException.class,
        e -> assertThat(e.failureType()).isEqualTo(ReplyFailure.ERROR)).hasMessageContaining(part);
  }

  /** Fails if {@code Forwarder.received} asks a message for its body where an exception is not caught. */
  @Test
  @DisplayName("A message whose body throws fails at once")
  void messages() {
    assertError(Waiting.awaitFailure(bed.here.eventBus().request(ADDRESS, new Unreadable(), SOON)), "transform");
    assertThat(bed.callers.snapshot().forwarded()).isEqualTo(new BridgeTraffic(0, 0, 1, 0));
    assertError(Waiting.awaitFailure(bed.here.eventBus().request(ADDRESS, new Unwritable(), SOON)), "encodeToWire");
  }

  /** Fails if {@code BusFailures.of} asks an exception for its words without care. */
  @Test
  @DisplayName("A message whose codec throws what cannot say what it is fails at once, too")
  void muteCodec() {
    assertError(Waiting.awaitFailure(bed.here.eventBus().request(ADDRESS, new Mute(), SOON)), "ThrowingCodecsTest");
    assertThat(bed.callers.snapshot().forwarded().pending()).isZero();
  }

  /** Fails if {@code Forwarder.answered} forwards no other failure than that there is no codec. */
  @Test
  @DisplayName("An answer whose codec throws an Error fails at once, for both who wait")
  void codecsOfAnswers() {
    BlockingQueue<Throwable> failures = new LinkedBlockingQueue<>();
    bed.there.eventBus().consumer(ADDRESS, message -> message.replyAndRequest("", SOON).onFailure(failures::add));
    Message<Object> reply = Waiting.await(bed.here.eventBus().request(ADDRESS, "x", SOON));
    assertError(Waiting.awaitFailure(reply.replyAndRequest(new Unwritable(), SOON)), "encodeToWire");
    assertError(Waiting.next(failures), "encodeToWire");
    assertThat(bed.services.snapshot().conversations()).isZero();
  }

  /** Codec of bodies that can be read and not be sent again. */
  private static final class Unsendable implements MessageCodec<Unwritable, Unwritable> {

    @Override
    public void encodeToWire(Buffer buffer, Unwritable body) {
      throw new AssertionError("encodeToWire");
    }

    @Override
    public Unwritable decodeFromWire(int at, Buffer buffer) {
      return new Unwritable();
    }

    @Override
    public Unwritable transform(Unwritable body) {
      throw new AssertionError("copied");
    }

    @Override
    public String name() {
      return "unsendable";
    }

    @Override
    public byte systemCodecID() {
      return -1;
    }
  }

  /** Fails if {@code Forwarder.reply} forgets the object of such a reply only if there is no codec. */
  @Test
  @DisplayName("A reply whose codec throws where the callers are leaves no object there")
  void objects() {
    BridgedBodies bodies = new BridgedBodies();
    bodies.register(Unwritable.class, new Unsendable());
    bed.here.eventBus().registerCodec(new Unsendable());
    MultiMap named = MultiMap.caseInsensitiveMultiMap().add("proxyaddr", UUID.randomUUID().toString());
    RpcCaller peer = new RpcCaller() {
      @Override
      @SuppressWarnings("unchecked") // the results of all procedures
      public <T> Future<T> call(RpcRequest<T> request) {
        return Future.succeededFuture((T) new BridgeOutcome.Replied(
            new Content(named, "unsendable", Buffer.buffer()), Optional.empty()));
      }
    };
    // Room for one object.
    PeerShares shares = new PeerShares(2);
    Forwarder forwarder = new Forwarder(bed.here, new BridgeOptions().forward(BridgePermit.address("elsewhere")),
        bodies, peer, new Traffic(), shares);
    Waiting.await(forwarder.open());
    assertError(Waiting.awaitFailure(bed.here.eventBus().request("elsewhere", "x", SOON)), "copied");
    assertThat(shares.add("another peer")).isTrue();
  }
}
