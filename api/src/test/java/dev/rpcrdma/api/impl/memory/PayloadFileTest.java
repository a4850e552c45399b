// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.api.Payload;
import dev.rpcrdma.api.PayloadStreamOptions;
import dev.rpcrdma.api.PayloadStreams;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcTransportException;
import dev.rpcrdma.api.fixture.EchoService;
import dev.rpcrdma.api.fixture.RpcBed;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Payloads from files, and into them. */
class PayloadFileTest {

  private static final long LARGE = 5L << 30;
  private static final int MAPPED = 1 << 20;

  private final Vertx vertx = Vertx.vertx();
  @TempDir
  private Path directory;

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  /** A file with more bytes than a payload may have, nearly all in a hole. */
  private Path large() throws IOException {
    Path file = directory.resolve("large");
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE,
        StandardOpenOption.SPARSE)) {
      channel.write(ByteBuffer.wrap("four".getBytes()), (1L << 32) - 2);
      channel.write(ByteBuffer.wrap("end".getBytes()), LARGE - 3);
    }
    return file;
  }

  private Payload bytes(String text) {
    return Payload.copyOf(vertx, Buffer.buffer(text));
  }

  @Test
  @DisplayName("Ranges lie anywhere in a file of more than 4 GiB, read or mapped")
  void rangesOfLargeFiles() throws IOException {
    Path file = large();
    Payload read = Waiting.await(Payload.file(vertx, file, (1L << 32) - 3, 6));
    assertThat(read.toBuffer()).isEqualTo(Buffer.buffer("\0four\0"));
    Payload mapped = Waiting.await(Payload.file(vertx, file, LARGE - MAPPED, MAPPED));
    assertThat(mapped.toBuffer().getString(MAPPED - 4, MAPPED)).isEqualTo("\0end");
    assertThat(Waiting.awaitFailure(Payload.file(vertx, file, LARGE - 2, 3))).isInstanceOf(EOFException.class)
        .hasMessageContaining("has " + LARGE + " bytes");
    Payload longest = Waiting.await(Payload.file(vertx, file, LARGE - Payload.MAX_LENGTH, Payload.MAX_LENGTH));
    assertThat(longest.bytes().get(Payload.MAX_LENGTH - 1)).isEqualTo((byte) 'd');
    List.of(read, mapped, longest).forEach(Payload::release);
  }

  @Test
  @DisplayName("A file of more than 4 GiB is gone through by ranges, with each byte in one of them")
  void largeFilesByRanges() throws IOException {
    Path file = large();
    List<Payload> parts = new CopyOnWriteArrayList<>();
    List<Long> offsets = new CopyOnWriteArrayList<>();
    List<Long> ends = new CopyOnWriteArrayList<>();
    Buffer found = Buffer.buffer();
    Waiting.await(PayloadStreams.forEachRange(vertx, 0, LARGE, PayloadStreamOptions.DEFAULT.withChunkSize(1 << 30),
        (offset, length) -> Payload.file(vertx, file, offset, length), (offset, part) -> {
          parts.add(part);
          offsets.add(offset);
          ends.add(offset + part.length());
          found.appendByte(part.bytes().get(part.length() - 1)).appendByte(part.bytes().get(0));
          return Future.succeededFuture();
        }));
    assertThat(offsets).containsExactly(0L, 1L << 30, 2L << 30, 3L << 30, 4L << 30);
    assertThat(ends.get(4)).isEqualTo(LARGE);
    assertThat(found.toString()).isEqualTo("\0\0\0\0\0\0o\0du");
    assertThat(parts).noneMatch(Payload::tryRetain);
  }

  @Test
  @DisplayName("A payload is written where it was said, and the rest of the file stays")
  void writing() throws IOException {
    Path file = Files.writeString(directory.resolve("file"), "abcdef");
    Payload payload = bytes("XY");
    Waiting.await(payload.writeTo(vertx, file, 1));
    assertThat(Files.readString(file)).isEqualTo("aXYdef");
    Waiting.await(payload.writeTo(vertx, file, 7));
    assertThat(Files.readString(file)).isEqualTo("aXYdef\0XY");
    Path none = directory.resolve("none");
    Waiting.await(payload.writeTo(vertx, none, 0));
    assertThat(Files.readString(none)).isEqualTo("XY");
    Waiting.await(payload.slice(1, 0).writeTo(vertx, none, 9));
    assertThat(Files.size(none)).isEqualTo(2);
    Waiting.await(payload.writeTo(vertx, none, LARGE));
    assertThat(Files.size(none)).isEqualTo(LARGE + 2);
  }

  @Test
  @DisplayName("Writing keeps an owner until it is done, and gives it back, also where it cannot write")
  void writingOwns() {
    Payload payload = bytes("XY");
    Future<Void> written = payload.writeTo(vertx, directory.resolve("file"), 0);
    Future<Void> refused = payload.writeTo(vertx, directory, 0);
    payload.release();
    Waiting.await(written);
    assertThat(Waiting.awaitFailure(refused)).isInstanceOf(FileSystemException.class);
    assertThat(payload.tryRetain()).isFalse();
    assertThat(Waiting.awaitFailure(payload.writeTo(vertx, directory.resolve("file"), 0)))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void offsetsAreChecked() {
    Payload payload = bytes("XY");
    Path file = directory.resolve("file");
    for (long offset : new long[] {-1, Long.MIN_VALUE, Long.MAX_VALUE - 1}) {
      assertThatThrownBy(() -> payload.writeTo(vertx, file, offset)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> Payload.file(vertx, file, offset, 2)).isInstanceOf(IllegalArgumentException.class);
    }
    assertThat(payload.tryRelease()).isTrue();
    assertThat(payload.tryRetain()).isFalse();
    assertThat(file).doesNotExist();
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  @DisplayName("A file is open as long as a payload is mapped from it, and no longer")
  void closed() throws IOException {
    Path file = Files.write(directory.resolve("file"), new byte[MAPPED]);
    Payload read = Waiting.await(Payload.file(vertx, file, 0, 1));
    assertThat(isOpen(file)).isFalse();
    Payload mapped = Waiting.await(Payload.file(vertx, file, 0, MAPPED));
    Payload slice = mapped.slice(0, 1);
    mapped.release();
    assertThat(isOpen(file)).isTrue();
    slice.release();
    assertThat(isOpen(file)).isFalse();
    Waiting.awaitFailure(Payload.file(vertx, file, 1, MAPPED));
    assertThat(isOpen(file)).isFalse();
    read.release();
  }

  private static boolean isOpen(Path file) throws IOException {
    try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
      return descriptors.anyMatch(descriptor -> {
        try {
          return Files.readSymbolicLink(descriptor).equals(file.toRealPath());
        } catch (IOException e) {
          // That of the listing itself, or one that others have closed meanwhile.
          return false;
        }
      });
    }
  }

  @Test
  @DisplayName("A mapped file that has shrunk cannot be written elsewhere")
  void shrunk() throws IOException {
    Path file = directory.resolve("file");
    Files.write(file, new byte[MAPPED]);
    Payload payload = Waiting.await(Payload.file(vertx, file, 0, MAPPED));
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(0);
    }
    assertThat(Waiting.awaitFailure(payload.writeTo(vertx, directory.resolve("other"), 0)))
        .isInstanceOf(IOException.class);
    payload.release();
  }

  @Test
  @DisplayName("A call with a mapped file that has shrunk fails, and costs no connection")
  void shrunkUnderACall() throws IOException {
    try (RpcBed bed = new RpcBed("siw")) {
      RpcConnection connection = Waiting.await(bed.channel.connect());
      Path file = Files.write(directory.resolve("file"), new byte[MAPPED]);
      Payload payload = Waiting.await(Payload.file(bed.vertx, file, 1, MAPPED - 1));
      Waiting.await(bed.channel.call(EchoService.echoPlaced(payload)));
      Path moved = Files.move(file, directory.resolve("moved"));
      Files.createFile(file);
      Waiting.await(bed.channel.call(EchoService.echoPlaced(payload)));
      try (FileChannel channel = FileChannel.open(moved, StandardOpenOption.WRITE)) {
        channel.truncate(MAPPED - 1);
      }
      assertThat(Waiting.awaitFailure(bed.channel.call(EchoService.echoPlaced(payload))))
          .isInstanceOf(RpcTransportException.class).hasMessageContaining("has shrunk to " + (MAPPED - 1));
      payload.release();
      assertThat(payload.tryRetain()).isFalse();
      assertThat(Waiting.await(bed.channel.connect())).isSameAs(connection);
    }
  }
}
