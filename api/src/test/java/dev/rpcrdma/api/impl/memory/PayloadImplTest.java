// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.api.Payload;
import dev.rpcrdma.protocol.wire.CmPrivateData;
import dev.rpcrdma.protocol.xdr.DataItem;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.verbs.LocalMemory;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PayloadImplTest {

  private static final int MAX = Payload.MAX_LENGTH;

  private final Vertx vertx = Vertx.vertx();
  private final CountingDomain domain = new CountingDomain();
  @TempDir
  private Path directory;

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  /** Fails if {@code PayloadImpl.allocate} leaves its arguments to what it calls, which says less. */
  @Test
  @DisplayName("Memory is not allocated without Vert.x, or with a length that no payload has")
  void allocating() {
    assertThatNullPointerException().isThrownBy(() -> PayloadImpl.allocate(null, 1)).withMessage("vertx");
    assertThatIllegalArgumentException().isThrownBy(() -> PayloadImpl.allocate(vertx, -1))
        .withMessage("A payload has 0 to 2147483644 bytes, not -1");
  }

  /** Fails if {@code PayloadImpl.file} opens a file for a range that no file has. */
  @ParameterizedTest(name = "{1} bytes at {0}")
  @CsvSource({"0, -1", "0, 2147483645", "-1, 1", "9223372036854775806, 2", "9223372036854775807, 1"})
  @DisplayName("Ranges that no file has are illegal arguments")
  void illegal(long offset, int length) {
    Path none = directory.resolve("none");
    assertThatThrownBy(() -> PayloadImpl.file(vertx, none, offset, length))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** Fails if {@code PayloadImpl.checkLength} or {@code checkOffset} rejects the last of what is allowed. */
  @ParameterizedTest(name = "{1} bytes at {0}")
  @CsvSource({"0, 0", "0, 2147483644", "9223372036854775805, 2", "9223372036854775807, 0"})
  @DisplayName("Ranges that a file may have are looked for in it")
  void legal(long offset, int length) {
    assertThat(MAX).isEqualTo(2147483644);
    assertThat(Waiting.awaitFailure(PayloadImpl.file(vertx, directory.resolve("none"), offset, length)))
        .isInstanceOf(NoSuchFileException.class);
  }

  /** Fails if {@code PayloadImpl.open} maps what may travel inline, or reads more than that. */
  @Test
  @DisplayName("A range is read up to the length that may travel inline, and a longer one is mapped")
  void readOrMapped() throws IOException {
    int most = CmPrivateData.MAX_SIZE;
    Path file = Files.write(directory.resolve("file"), new byte[most + 1]);
    PayloadImpl read = (PayloadImpl) Waiting.await(PayloadImpl.file(vertx, file, 1, most));
    PayloadImpl mapped = (PayloadImpl) Waiting.await(PayloadImpl.file(vertx, file, 0, most + 1));
    assertThat(Waiting.await(read.registered(domain)).backing()).isEqualTo(LocalMemory.Backing.MEMORY);
    assertThat(Waiting.await(mapped.registered(domain)).backing()).isEqualTo(LocalMemory.Backing.MAPPED_FILE);
    read.release();
    mapped.release();
    assertThat(domain.registrations()).isZero();
  }

  /** Fails if {@code PayloadImpl.memoryOffset} or {@code part} is at another place than the bytes. */
  @Test
  @DisplayName("A part is at its place in the memory of the whole, and owns it")
  void part() {
    Payload whole = PayloadImpl.copyOf(vertx, Buffer.buffer("abcdef"));
    Payload slice = whole.slice(1, 4);
    DataItem part = slice.part(2, 2).orElseThrow();
    assertThat(((PayloadImpl) slice).memoryOffset()).isEqualTo(1);
    assertThat(((PayloadImpl) part).memoryOffset()).isEqualTo(3);
    slice.release();
    whole.release();
    assertThat(new String(part.toByteArray())).isEqualTo("de");
    part.release();
    assertThat(whole.tryRetain()).isFalse();
  }

  @Test
  @DisplayName("A payload says how long it is, and whether it was released")
  void words() {
    Payload payload = PayloadImpl.allocate(vertx, 12);
    assertThat(payload).hasToString("Payload of 12 bytes");
    payload.release();
    assertThat(payload).hasToString("Payload of 12 bytes, released");
  }
}
