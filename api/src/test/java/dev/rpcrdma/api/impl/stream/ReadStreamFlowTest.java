// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.stream;

import static dev.rpcrdma.api.impl.stream.ScriptedStream.buffers;
import static dev.rpcrdma.api.impl.stream.ScriptedStream.joined;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.api.Cancellation;
import dev.rpcrdma.api.Payload;
import dev.rpcrdma.api.PayloadStreamOptions;
import dev.rpcrdma.api.PayloadStreams;
import dev.rpcrdma.api.RpcCancelledException;
import dev.rpcrdma.api.impl.call.CancellationWatch;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.file.AsyncFile;
import io.vertx.core.file.OpenOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Streams that become payloads. */
class ReadStreamFlowTest {

  private static final int CHUNK = 1000;
  private static final int IN_FLIGHT = 3;
  private static final PayloadStreamOptions OPTIONS =
      PayloadStreamOptions.DEFAULT.withChunkSize(CHUNK).withMaxInFlight(IN_FLIGHT);

  private final Vertx vertx = Vertx.vertx();
  private final List<Payload> handed = new CopyOnWriteArrayList<>();
  /** What a held payload's future completes by. */
  private final BlockingQueue<Promise<Void>> held = new LinkedBlockingQueue<>();

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  private Future<Void> hold(long offset, Payload payload) {
    handed.add(payload);
    Promise<Void> promise = Promise.promise();
    held.add(promise);
    return promise.future();
  }

  /** Each payload that was handed on has no owner left. */
  private void assertReleased() {
    assertThat(handed).isNotEmpty().noneMatch(Payload::tryRetain);
  }

  @Test
  @DisplayName("Buffers of any size become payloads of one size, in order, and all bytes are counted")
  void cutting() {
    List<Buffer> buffers = buffers(1, 0, 999, 1000, 2500, 7, 3000, 493, 1);
    Buffer all = Buffer.buffer();
    List<Long> offsets = new CopyOnWriteArrayList<>();
    long length = Waiting.await(PayloadStreams.forEach(vertx, ScriptedStream.of(vertx, buffers), OPTIONS,
        (offset, payload) -> {
          handed.add(payload);
          offsets.add(offset);
          all.appendBuffer(payload.toBuffer());
          return Future.succeededFuture();
        }));
    assertThat(length).isEqualTo(8001);
    assertThat(all).isEqualTo(joined(buffers));
    assertThat(offsets).containsExactly(0L, 1000L, 2000L, 3000L, 4000L, 5000L, 6000L, 7000L, 8000L);
    assertThat(handed.get(8).length()).isEqualTo(1);
    assertReleased();
  }

  @Test
  @DisplayName("A stream that ends with a chunk has no empty payload behind it; one without bytes has none")
  void evenEnds() {
    for (int chunks = 0; chunks < 3; chunks++) {
      int[] lengths = chunks == 0 ? new int[0] : new int[] {CHUNK * chunks};
      List<Payload> payloads = new CopyOnWriteArrayList<>();
      assertThat(Waiting.await(PayloadStreams.forEach(vertx, ScriptedStream.of(vertx, buffers(lengths)), OPTIONS,
          (offset, payload) -> {
            payloads.add(payload);
            return Future.succeededFuture();
          }))).isEqualTo(CHUNK * chunks);
      assertThat(payloads).hasSize(chunks);
    }
  }

  @Test
  @DisplayName("The memory of a stream is chunkSize * maxInFlight, however long it is, and the source waits")
  void memory() {
    int[] lengths = new int[100];
    Arrays.fill(lengths, CHUNK / 2);
    ScriptedStream source = ScriptedStream.of(vertx, buffers(lengths));
    ReadStreamFlow flow = new ReadStreamFlow(vertx, source, OPTIONS, this::hold);
    Future<Long> end = flow.begin();
    Waiting.until(() -> held.size() == IN_FLIGHT);
    assertThat(source.left()).isEqualTo(100 - 2 * IN_FLIGHT);
    int done = 0;
    while (done < 50) {
      Waiting.next(held).complete();
      done++;
      int expected = Math.min(50, done + IN_FLIGHT);
      Waiting.until(() -> handed.size() == expected);
      assertThat(flow.memoryBytes()).isEqualTo(CHUNK * IN_FLIGHT);
      assertThat(source.left()).isEqualTo(100 - 2 * expected);
    }
    assertThat(Waiting.await(end)).isEqualTo(50L * CHUNK);
    assertReleased();
  }

  @Test
  @DisplayName("A source that fails ends the stream when what was handed on is done with")
  void sourceFails() {
    ScriptedStream source = ScriptedStream.failing(vertx, buffers(CHUNK, CHUNK, 10), new IOException("cut"));
    ReadStreamFlow flow = new ReadStreamFlow(vertx, source, OPTIONS, this::hold);
    Future<Long> end = flow.begin();
    Waiting.until(source::abandoned);
    assertThat(end.isComplete()).isFalse();
    Waiting.next(held).complete();
    assertThat(end.isComplete()).isFalse();
    Waiting.next(held).complete();
    assertThat(Waiting.awaitFailure(end)).isInstanceOf(IOException.class).hasMessage("cut");
    assertThat(handed).hasSize(2);
    assertReleased();
  }

  @Test
  @DisplayName("A handler that fails, throws or returns null ends the stream; nothing more is handed on")
  void handlerFails() {
    IllegalStateException refused = new IllegalStateException("refused");
    AssertionError thrown = new AssertionError("thrown");
    ScriptedStream failing = ScriptedStream.of(vertx, buffers(CHUNK, CHUNK, CHUNK, CHUNK, CHUNK));
    Future<Long> end = PayloadStreams.forEach(vertx, failing, OPTIONS, this::hold);
    Waiting.until(() -> held.size() == IN_FLIGHT);
    Promise<Void> first = Waiting.next(held);
    Waiting.next(held).fail(refused);
    Waiting.until(failing::abandoned);
    first.complete();
    assertThat(end.isComplete()).isFalse();
    Waiting.next(held).fail("later");
    assertThat(Waiting.awaitFailure(end)).isSameAs(refused);
    assertThat(handed).hasSize(IN_FLIGHT);
    assertReleased();

    assertThat(Waiting.awaitFailure(PayloadStreams.forEach(vertx, ScriptedStream.of(vertx, buffers(1)), OPTIONS,
        (offset, payload) -> {
          handed.add(payload);
          throw thrown;
        }))).isSameAs(thrown);
    assertThat(Waiting.awaitFailure(PayloadStreams.forEach(vertx, ScriptedStream.of(vertx, buffers(1)), OPTIONS,
        (offset, payload) -> {
          handed.add(payload);
          return null;
        }))).isInstanceOf(NullPointerException.class);
    assertReleased();
  }

  @Test
  @DisplayName("A handler that releases what it was lent ends the stream")
  void releasedByHandler() {
    assertThat(Waiting.awaitFailure(PayloadStreams.forEach(vertx, ScriptedStream.of(vertx, buffers(CHUNK, CHUNK)),
        OPTIONS.withMaxInFlight(1), (offset, payload) -> {
          payload.release();
          return Future.succeededFuture();
        }))).isInstanceOf(IllegalStateException.class).hasMessageContaining("loan");
  }

  @Test
  @DisplayName("Cancelling ends a stream whose source gives nothing, and keeps nothing of it")
  void cancelled() {
    Cancellation cancellation = Cancellation.create();
    ScriptedStream source = ScriptedStream.stalling(vertx, buffers(CHUNK, 10));
    Future<Long> end =
        PayloadStreams.forEach(vertx, source, OPTIONS.withCancellation(cancellation), this::hold);
    Promise<Void> first = Waiting.next(held);
    assertThat(CancellationWatch.calls(cancellation)).isOne();
    cancellation.cancel();
    Waiting.until(source::abandoned);
    assertThat(end.isComplete()).isFalse();
    first.complete();
    assertThat(Waiting.awaitFailure(end)).isInstanceOf(RpcCancelledException.class)
        .hasMessageContaining("1000 bytes");
    assertReleased();

    assertThat(Waiting.awaitFailure(PayloadStreams.forEach(vertx, ScriptedStream.of(vertx, buffers(CHUNK)),
        OPTIONS.withCancellation(cancellation), this::hold))).isInstanceOf(RpcCancelledException.class);
    assertThat(handed).hasSize(1);
  }

  @Test
  @DisplayName("Cancelling ends a stream that waits for memory which a handler has retained")
  void cancelledWithoutMemory() {
    Cancellation cancellation = Cancellation.create();
    PayloadStreamOptions one = OPTIONS.withMaxInFlight(1).withCancellation(cancellation);
    Future<Long> end = PayloadStreams.forEach(vertx, ScriptedStream.of(vertx, buffers(CHUNK, CHUNK)), one,
        (offset, payload) -> hold(offset, payload.retain()));
    // In this order on the stream's context: then it waits when it is cancelled.
    Waiting.next(held).complete();
    cancellation.cancel();
    assertThat(Waiting.awaitFailure(end)).isInstanceOf(RpcCancelledException.class);
    assertThat(handed).hasSize(1).allMatch(Payload::tryRelease);
    assertReleased();
  }

  @Test
  @DisplayName("What has ended is forgotten by its cancellation")
  void forgotten() {
    Cancellation cancellation = Cancellation.create();
    Waiting.await(PayloadStreams.forEach(vertx, ScriptedStream.of(vertx, buffers(5)),
        OPTIONS.withCancellation(cancellation), (offset, payload) -> Future.succeededFuture()));
    assertThat(CancellationWatch.calls(cancellation)).isZero();
  }

  @Test
  @DisplayName("Handlers are called on the context that began, and the future completes there")
  void context() {
    Context context = vertx.getOrCreateContext();
    List<Context> seen = new CopyOnWriteArrayList<>();
    Promise<Long> end = Promise.promise();
    ScriptedStream source = ScriptedStream.of(vertx, buffers(CHUNK, CHUNK));
    context.runOnContext(turn -> PayloadStreams.forEach(vertx, source, OPTIONS, (offset, payload) -> {
      seen.add(Vertx.currentContext());
      return vertx.timer(1);
    }).onComplete(result -> {
      seen.add(Vertx.currentContext());
      end.handle(result);
    }));
    Waiting.await(end.future());
    assertThat(seen).hasSize(3).allMatch(context::equals);
  }

  @Test
  @DisplayName("Files of Vert.x are streams; one that is closed is refused")
  void asyncFile(@TempDir Path directory) throws IOException {
    Buffer bytes = joined(buffers(100_000));
    Path path = Files.write(directory.resolve("file"), bytes.getBytes());
    AsyncFile file = Waiting.await(vertx.fileSystem().open(path.toString(), new OpenOptions().setWrite(false)));
    Buffer all = Buffer.buffer();
    assertThat(Waiting.await(PayloadStreams.forEach(vertx, file, OPTIONS, (offset, payload) -> {
      all.appendBuffer(payload.toBuffer());
      return Future.succeededFuture();
    }))).isEqualTo(100_000);
    assertThat(all).isEqualTo(bytes);
    Waiting.await(file.close());
    assertThat(Waiting.awaitFailure(PayloadStreams.forEach(vertx, file, OPTIONS, this::hold)))
        .isInstanceOf(IllegalStateException.class);
    assertThat(handed).isEmpty();
  }

  @Test
  @DisplayName("A file that is closed under a stream ends it")
  void closedUnderway(@TempDir Path directory) throws IOException {
    Path path = Files.write(directory.resolve("file"), new byte[100_000]);
    AsyncFile file = Waiting.await(vertx.fileSystem().open(path.toString(), new OpenOptions().setWrite(false)));
    Future<Long> end = PayloadStreams.forEach(vertx, file, OPTIONS.withMaxInFlight(1), this::hold);
    Promise<Void> first = Waiting.next(held);
    Waiting.await(file.close());
    first.complete();
    // What the file has read ahead still comes.
    Waiting.until(() -> {
      held.forEach(Promise::tryComplete);
      return end.isComplete();
    });
    assertThat(Waiting.awaitFailure(end)).isInstanceOfAny(IllegalStateException.class, IOException.class,
        CompletionException.class);
    assertReleased();
  }

  @Test
  void optionsAreChecked() {
    assertThatThrownBy(() -> OPTIONS.withChunkSize(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> OPTIONS.withChunkSize(Integer.MAX_VALUE)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> OPTIONS.withMaxInFlight(0)).isInstanceOf(IllegalArgumentException.class);
  }
}
