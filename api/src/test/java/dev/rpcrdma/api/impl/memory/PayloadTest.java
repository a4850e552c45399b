// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.api.Payload;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ReadOnlyBufferException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PayloadTest {

  private final Vertx vertx = Vertx.vertx();

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  @Test
  void aReleasedPayloadRefusesEverything() {
    Payload payload = Payload.copyOf(vertx, Buffer.buffer("abc"));
    assertThat(payload.toBuffer()).isEqualTo(Buffer.buffer("abc"));
    payload.retain();
    payload.release();
    assertThat(payload.length()).isEqualTo(3);
    payload.release();
    assertThatThrownBy(payload::bytes).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(payload::retain).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(payload::release).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> payload.slice(0, 1)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aSliceKeepsTheMemory() {
    Payload payload = Payload.copyOf(vertx, Buffer.buffer("abcdef"));
    Payload slice = payload.slice(2, 3);
    payload.release();
    assertThat(slice.toBuffer()).isEqualTo(Buffer.buffer("cde"));
    assertThatThrownBy(() -> slice.slice(1, 3)).isInstanceOf(IndexOutOfBoundsException.class);
    slice.release();
    assertThatThrownBy(slice::bytes).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aFileIsReadOnlyAndItsRangeChecked(@TempDir Path directory) throws IOException {
    Path file = Files.writeString(directory.resolve("file"), "abcdef");
    Payload payload = Waiting.await(Payload.file(vertx, file, 1, 4));
    assertThat(payload.toBuffer()).isEqualTo(Buffer.buffer("bcde"));
    assertThatThrownBy(() -> payload.bytes().put((byte) 1))
        .isInstanceOf(ReadOnlyBufferException.class);
    payload.release();
    assertThat(Waiting.awaitFailure(Payload.file(vertx, file, 3, 4))).isInstanceOf(EOFException.class)
        .hasMessageContaining("has 6 bytes");
    assertThat(Waiting.awaitFailure(Payload.file(vertx, directory.resolve("none"), 0, 0)))
        .isInstanceOf(IOException.class);
    assertThat(Waiting.await(Payload.file(vertx, file, 6, 0)).length()).isZero();
  }
}
