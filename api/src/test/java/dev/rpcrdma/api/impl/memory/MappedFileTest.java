// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.Payload;
import dev.rpcrdma.api.ProviderOptions;
import dev.rpcrdma.api.impl.connection.SharedDevice;
import dev.rpcrdma.protocol.wire.CmPrivateData;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.ProtectionDomain;
import dev.rpcrdma.verbs.VerbsException;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MappedFileTest {

  @TempDir
  private Path directory;
  private final Vertx vertx = Vertx.vertx();
  private final SharedDevice device = SharedDevice.acquire(vertx, new ProviderOptions("siw", new JsonObject()), "");

  @AfterEach
  void close() {
    Waiting.await(device.release());
    Waiting.await(vertx.close());
  }

  /** Fails if the file is looked at by a worker of whoever makes the call: the call would never be made. */
  @Test
  @DisplayName("A mapped file is registered, though the verticle that sends it is gone")
  void withoutVerticle() throws IOException {
    ProtectionDomain domain = Waiting.await(device.opened()).pools().of(1 << 20).domain();
    int length = CmPrivateData.MAX_SIZE + 1;
    Path file = Files.write(directory.resolve("file"), new byte[length]);
    Payload payload = Waiting.await(Payload.file(vertx, file, 0, length));
    assertThat(Waiting.await(ShortVerticle.begins(vertx, () -> ((PayloadImpl) payload).registered(domain))).length())
        .isEqualTo(length);
    payload.release();
  }

  /** Fails if {@code MappedFile.map} takes another place than the last byte's for the payload's end. */
  @Test
  @DisplayName("A payload is not registered when its last byte is no longer in the file")
  void shrunk() throws IOException {
    int length = CmPrivateData.MAX_SIZE + 1;
    Path file = Files.write(directory.resolve("file"), new byte[10 + length + 10]);
    PayloadImpl payload = (PayloadImpl) Waiting.await(Payload.file(vertx, file, 10, length));
    CountingDomain domain = new CountingDomain();
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(10 + length);
      assertThat(Waiting.await(payload.registered(domain)).backing()).isEqualTo(LocalMemory.Backing.MAPPED_FILE);
      channel.truncate(10 + length - 1);
    }
    assertThat(Waiting.awaitFailure(payload.registered(domain))).isInstanceOf(VerbsException.class)
        .hasMessageEndingWith("has shrunk to 262154 bytes while a payload is mapped that ends at 262155");
    payload.release();
    assertThat(domain.registrations()).isZero();
  }
}
