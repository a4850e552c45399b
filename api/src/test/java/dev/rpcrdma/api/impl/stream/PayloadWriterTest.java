// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.Payload;
import dev.rpcrdma.api.PayloadWriter;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.file.AsyncFile;
import io.vertx.core.file.OpenOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PayloadWriterTest {

  private static final int PIECE = 64 << 10;

  private final Vertx vertx = Vertx.vertx();
  private final GatedStream target = new GatedStream();
  private final PayloadWriter writer = PayloadWriter.to(vertx, target);

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  private Payload payload(int length, int seed) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return Payload.copyOf(vertx, Buffer.buffer(bytes));
  }

  @Test
  @DisplayName("Payloads are written in order, by pieces, and none while the stream is full")
  void backPressure() {
    List<Future<Void>> writes = new ArrayList<>();
    List<Payload> payloads = new ArrayList<>();
    Buffer all = Buffer.buffer();
    for (int length : new int[] {3 * PIECE + 1, 0, 10, PIECE}) {
      Payload payload = payload(length, length);
      all.appendBuffer(payload.toBuffer());
      payloads.add(payload);
      writes.add(writer.write(payload));
      payload.release();
    }
    for (int written = 0; written < 6; written++) {
      int expected = Math.min(2, 6 - written);
      Waiting.until(() -> target.unwritten() == expected);
      assertThat(writes.get(3).isComplete()).isFalse();
      target.writeOne();
    }
    for (Future<Void> write : writes) {
      Waiting.await(write);
    }
    assertThat(target.writesWhileFull()).isZero();
    assertThat(target.largest()).isEqualTo(PIECE);
    assertThat(target.taken()).isEqualTo(all);
    assertThat(payloads).noneMatch(Payload::tryRetain);
  }

  @Test
  @DisplayName("A payload is done with when all of it is written, and is lent until then")
  void lent() {
    Payload payload = payload(10, 1);
    Future<Void> write = writer.write(payload);
    payload.release();
    Waiting.until(() -> target.unwritten() == 1);
    assertThat(write.isComplete()).isFalse();
    assertThat(payload.length()).isEqualTo(10);
    assertThat(payload.toBuffer().length()).isEqualTo(10);
    target.writeOne();
    Waiting.await(write);
    assertThat(payload.tryRetain()).isFalse();
  }

  @Test
  @DisplayName("A stream that fails fails all that is not written, and what comes later")
  void fails() {
    List<Payload> payloads = List.of(payload(10, 1), payload(10, 2), payload(3 * PIECE, 3));
    List<Future<Void>> writes = payloads.stream().map(writer::write).toList();
    Waiting.until(() -> target.unwritten() == 2);
    target.writeOne();
    Waiting.await(writes.get(0));
    IOException full = new IOException("full");
    target.failOne(full);
    assertThat(Waiting.awaitFailure(writes.get(1))).isSameAs(full);
    assertThat(Waiting.awaitFailure(writes.get(2))).isSameAs(full);
    assertThat(Waiting.awaitFailure(writer.write(payloads.get(0)))).isSameAs(full);
    // The writer's owners are gone, and the test's are the last ones.
    assertThat(payloads).allMatch(Payload::tryRelease).noneMatch(Payload::tryRelease);
  }

  @Test
  void releasedPayloadsAreRefused() {
    Payload payload = payload(10, 1);
    payload.release();
    assertThat(Waiting.awaitFailure(writer.write(payload))).isInstanceOf(IllegalStateException.class);
    assertThat(target.unwritten()).isZero();
  }

  @Test
  @DisplayName("Files of Vert.x are streams; one that is closed is refused")
  void asyncFile(@TempDir Path directory) throws IOException {
    Path path = directory.resolve("file");
    AsyncFile file = Waiting.await(vertx.fileSystem().open(path.toString(), new OpenOptions()));
    PayloadWriter toFile = PayloadWriter.to(vertx, file);
    Payload payload = payload(1_000_000, 1);
    Future<Void> first = toFile.write(payload);
    Waiting.await(toFile.write(payload));
    assertThat(first.succeeded()).isTrue();
    Waiting.await(file.close());
    assertThat(Buffer.buffer(Files.readAllBytes(path)))
        .isEqualTo(payload.toBuffer().appendBuffer(payload.toBuffer()));
    assertThat(Waiting.awaitFailure(toFile.write(payload))).isInstanceOf(IllegalStateException.class);
    assertThat(payload.tryRelease()).isTrue();
    assertThat(payload.tryRelease()).isFalse();
  }
}
