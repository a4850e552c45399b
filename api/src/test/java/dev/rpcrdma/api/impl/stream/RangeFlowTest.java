// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.api.Cancellation;
import dev.rpcrdma.api.Payload;
import dev.rpcrdma.api.PayloadStreamOptions;
import dev.rpcrdma.api.PayloadStreams;
import dev.rpcrdma.api.RpcCancelledException;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Ranges that are read by parts. */
class RangeFlowTest {

  private static final int CHUNK = 1000;
  private static final int IN_FLIGHT = 3;
  private static final PayloadStreamOptions OPTIONS =
      PayloadStreamOptions.DEFAULT.withChunkSize(CHUNK).withMaxInFlight(IN_FLIGHT);

  private final Vertx vertx = Vertx.vertx();
  /** Each payload that was read, with one owner more than the stream's. */
  private final List<Payload> read = new CopyOnWriteArrayList<>();
  private final List<Promise<Payload>> asked = new CopyOnWriteArrayList<>();
  private final List<Long> handed = new CopyOnWriteArrayList<>();
  private final List<Promise<Void>> held = new CopyOnWriteArrayList<>();
  /** Where the last handler was called. */
  private volatile Context context;

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  /** A payload that the stream gets, and of which the test keeps an owner. */
  private Payload payload(int length) {
    Payload payload = Payload.allocate(vertx, length);
    read.add(payload.retain());
    return payload;
  }

  private Future<Payload> ask(long offset, int length) {
    Promise<Payload> promise = Promise.promise();
    asked.add(promise);
    return promise.future();
  }

  private Future<Void> hold(long offset, Payload payload) {
    handed.add(offset);
    context = Vertx.currentContext();
    Promise<Void> promise = Promise.promise();
    held.add(promise);
    return promise.future();
  }

  /** The stream's turn in which a handler was called is over. */
  private void untilTurnHasEnded() {
    Promise<Void> next = Promise.promise();
    context.runOnContext(turn -> next.complete());
    Waiting.await(next.future());
  }

  /** The stream has released each once: the test's owner is the last one. */
  private void assertReleasedOnce() {
    assertThat(read).isNotEmpty().allMatch(Payload::tryRelease).noneMatch(Payload::tryRelease);
  }

  @Test
  @DisplayName("Parts are read ahead and handed on in their order, and no more of them at a time than was said")
  void order() {
    Future<Void> end = PayloadStreams.forEachRange(vertx, 1L << 40, 4500, OPTIONS, this::ask, this::hold);
    Waiting.until(() -> asked.size() == IN_FLIGHT);
    asked.get(2).complete(payload(CHUNK));
    asked.get(1).complete(payload(CHUNK));
    assertThat(handed).isEmpty();
    asked.get(0).complete(payload(CHUNK));
    Waiting.until(() -> held.size() == 3);
    long first = 1L << 40;
    assertThat(handed).containsExactly(first, first + 1000, first + 2000);
    assertThat(asked).hasSize(IN_FLIGHT);
    held.get(1).complete();
    Waiting.until(() -> asked.size() == 4);
    held.get(0).complete();
    Waiting.until(() -> asked.size() == 5);
    held.get(2).complete();
    asked.get(3).complete(payload(CHUNK));
    asked.get(4).complete(payload(500));
    Waiting.until(() -> held.size() == 5);
    held.get(3).complete();
    assertThat(end.isComplete()).isFalse();
    held.get(4).complete();
    Waiting.await(end);
    assertThat(asked).hasSize(5);
    assertReleasedOnce();
  }

  @Test
  @DisplayName("A part that cannot be read fails the range; what is being read and handled is waited for and released")
  void sourceFails() {
    Future<Void> end = PayloadStreams.forEachRange(vertx, 0, 100_000, OPTIONS, this::ask, this::hold);
    Waiting.until(() -> asked.size() == IN_FLIGHT);
    asked.get(0).complete(payload(CHUNK));
    Waiting.until(() -> held.size() == 1);
    asked.get(2).fail(new IOException("cut"));
    held.get(0).complete();
    assertThat(end.isComplete()).isFalse();
    asked.get(1).complete(payload(CHUNK));
    assertThat(Waiting.awaitFailure(end)).isInstanceOf(IOException.class).hasMessage("cut");
    assertThat(handed).hasSize(1);
    assertThat(asked).hasSize(IN_FLIGHT);
    assertReleasedOnce();
  }

  @Test
  @DisplayName("A handler that fails leaves nothing of what was read ahead")
  void handlerFails() {
    Future<Void> end = PayloadStreams.forEachRange(vertx, 0, 100_000, OPTIONS, this::ask, this::hold);
    Waiting.until(() -> asked.size() == IN_FLIGHT);
    // It waits for the second one.
    asked.get(2).complete(payload(CHUNK));
    asked.get(0).complete(payload(CHUNK));
    Waiting.until(() -> held.size() == 1);
    // The stream listens to the handler's future: a failure comes before what arrives after it.
    untilTurnHasEnded();
    held.get(0).fail(new IOException("full"));
    asked.get(1).complete(payload(CHUNK));
    assertThat(Waiting.awaitFailure(end)).hasMessage("full");
    assertReleasedOnce();
  }

  @Test
  @DisplayName("Cancelling waits for what is being read, and releases it")
  void cancelled() {
    Cancellation cancellation = Cancellation.create();
    Future<Void> end = PayloadStreams.forEachRange(vertx, 0, 100_000, OPTIONS.withCancellation(cancellation),
        this::ask, this::hold);
    Waiting.until(() -> asked.size() == IN_FLIGHT);
    asked.get(1).complete(payload(CHUNK));
    cancellation.cancel();
    asked.get(2).fail(new IOException("given up, too"));
    assertThat(end.isComplete()).isFalse();
    asked.get(0).complete(payload(CHUNK));
    assertThat(Waiting.awaitFailure(end)).isInstanceOf(RpcCancelledException.class)
        .matches(e -> !((RpcCancelledException) e).maybeExecuted());
    assertThat(handed).isEmpty();
    assertReleasedOnce();
  }

  @Test
  @DisplayName("A part of another length than was asked for is refused, and released")
  void wrongLength() {
    for (int length : new int[] {CHUNK - 1, CHUNK + 1, 0}) {
      assertThat(Waiting.awaitFailure(PayloadStreams.forEachRange(vertx, 5, CHUNK, OPTIONS,
          (offset, asking) -> Future.succeededFuture(payload(length)), this::hold)))
          .isInstanceOf(IOException.class).hasMessage("Of 1000 bytes at 5 the source has read " + length);
    }
    assertThat(handed).isEmpty();
    assertReleasedOnce();
  }

  @Test
  @DisplayName("A source that throws, or gives nothing, fails the range")
  void noPayload() {
    IllegalStateException closed = new IllegalStateException("closed");
    assertThat(Waiting.awaitFailure(PayloadStreams.forEachRange(vertx, 0, 1, OPTIONS, (offset, length) -> {
      throw closed;
    }, this::hold))).isSameAs(closed);
    assertThat(Waiting.awaitFailure(PayloadStreams.forEachRange(vertx, 0, 1, OPTIONS,
        (offset, length) -> null, this::hold))).isInstanceOf(NullPointerException.class);
    assertThat(Waiting.awaitFailure(PayloadStreams.forEachRange(vertx, 0, 1, OPTIONS,
        (offset, length) -> Future.succeededFuture(), this::hold))).isInstanceOf(NullPointerException.class);
  }

  @Test
  @DisplayName("No bytes are no parts; ranges that no file has are refused")
  void bounds() {
    Waiting.await(PayloadStreams.forEachRange(vertx, 9, 0, OPTIONS, this::ask, this::hold));
    assertThat(asked).isEmpty();
    for (long[] range : List.of(new long[] {-1, 1}, new long[] {0, -1}, new long[] {Long.MAX_VALUE, 1})) {
      assertThatThrownBy(() -> PayloadStreams.forEachRange(vertx, range[0], range[1], OPTIONS, this::ask,
          this::hold)).isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  @DisplayName("A long range whose parts are there at once does not go deeper into the stack")
  void manyParts() {
    List<Long> offsets = new ArrayList<>();
    Waiting.await(PayloadStreams.forEachRange(vertx, 0, 20_000, OPTIONS.withChunkSize(1),
        (offset, length) -> Future.succeededFuture(Payload.allocate(vertx, length)), (offset, payload) -> {
          offsets.add(offset);
          return Future.succeededFuture();
        }));
    assertThat(offsets).hasSize(20_000).isSorted();
  }
}
