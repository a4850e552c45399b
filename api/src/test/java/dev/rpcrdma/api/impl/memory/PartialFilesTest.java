// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.rpcrdma.api.Payload;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Files that give or take less at once than a payload has. */
class PartialFilesTest {

  private final Vertx vertx = Vertx.vertx();
  @TempDir
  private Path directory;

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  /** Fails if {@code PayloadImpl.read} goes on at another place than where it has read to. */
  @Test
  @EnabledOnOs(OS.LINUX)
  @DisplayName("A file with fewer bytes than its size fails as one that has shrunk")
  void shorterThanItSays() throws IOException {
    Path file = Path.of("/sys/devices/system/cpu/online");
    assumeThat(file).isReadable();
    int size = (int) Files.size(file);
    assumeThat(size).isGreaterThan(Files.readAllBytes(file).length);
    assertThat(Waiting.awaitFailure(PayloadImpl.file(vertx, file, 0, size))).isInstanceOf(EOFException.class)
        .hasMessage(file + " shrank while it was read");
  }

  /** Fails if {@code PayloadImpl.writeTo} goes on at another place than where it has written to. */
  @Test
  @EnabledOnOs(OS.LINUX)
  @DisplayName("A payload of more than Linux writes at once is written in two parts, and is the caller's then")
  void inTwoParts() throws IOException {
    Path file = directory.resolve("hole");
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE,
        StandardOpenOption.SPARSE)) {
      channel.write(ByteBuffer.allocate(1), Payload.MAX_LENGTH - 1);
    }
    Payload payload = Waiting.await(PayloadImpl.file(vertx, file, 0, Payload.MAX_LENGTH));
    Waiting.await(payload.writeTo(vertx, Path.of("/dev/null"), 0));
    payload.release();
    assertThat(payload.tryRetain()).isFalse();
  }

  /** Fails if {@code PayloadImpl.writeTo} writes elsewhere, keeps an owner, or writes what was released. */
  @Test
  @DisplayName("A payload is written at its place while it has an owner")
  void written() throws IOException {
    Path file = Files.writeString(directory.resolve("file"), "abcdef");
    Payload payload = PayloadImpl.copyOf(vertx, Buffer.buffer("XY"));
    Waiting.await(payload.writeTo(vertx, file, 2));
    assertThat(file).hasContent("abXYef");
    assertThatThrownBy(() -> payload.writeTo(vertx, file, -1)).isInstanceOf(IllegalArgumentException.class);
    payload.release();
    assertThat(payload.tryRetain()).isFalse();
    assertThat(Waiting.awaitFailure(payload.writeTo(vertx, file, 0))).hasMessage("The payload was released");
    assertThat(file).hasContent("abXYef");
  }
}
