// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.Payload;
import dev.rpcrdma.api.ProviderOptions;
import dev.rpcrdma.api.impl.connection.SharedDevice;
import dev.rpcrdma.protocol.wire.CmPrivateData;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.verbs.ProtectionDomain;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
}
