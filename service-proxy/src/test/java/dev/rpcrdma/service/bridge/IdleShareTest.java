// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.bridge;

import dev.rpcrdma.service.impl.PeerShares;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Vertx;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Places of objects that are idle. */
class IdleShareTest {

  /** Fails if {@code ObjectConsumers.expire} keeps the places of the objects that go. */
  @Test
  @DisplayName("An object that is idle for too long makes room")
  void idle() {
    Vertx vertx = Vertx.vertx();
    ObjectConsumers objects = new ObjectConsumers(vertx, Duration.ofMillis(50), new PeerShares(2),
        (address, remote) -> vertx.eventBus().consumer(address, message -> { }));
    Waiting.await(objects.add("remote"));
    Waiting.until(() -> Waiting.outcome(objects.add("another")) == null);
    Waiting.await(vertx.close());
  }
}
