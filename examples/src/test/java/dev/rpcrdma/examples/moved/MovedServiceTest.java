// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.moved;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.testkit.FreePort;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The example of a service that moves, by its own files. */
class MovedServiceTest {

  private final Vertx vertx = Vertx.vertx();

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  @Test
  @DisplayName("The same code runs on the event bus and over RDMA")
  void both() throws IOException {
    assertThat(Waiting.await(MovedService.run(vertx, MovedService.configuration("event-bus.json"))))
        .isEqualTo("Hello, world!");
    JsonObject rdma = MovedService.configuration("rdma.json");
    // Another port, so that the test does not meet the example.
    int port = FreePort.find();
    rdma.getJsonObject("service").put("port", port);
    rdma.getJsonObject("callers").put("port", port);
    assertThat(Waiting.await(MovedService.run(vertx, rdma))).isEqualTo("Hello, world!");
  }
}
