// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.MessageConsumer;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Consumers that stand for objects of a peer. */
class ObjectConsumersTest {

  private final Vertx vertx = Vertx.vertx();

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  private MessageConsumer<Object> consumer(String address, String remote) {
    return vertx.eventBus().consumer(address, message -> message.reply(remote));
  }

  /** Fails if {@code ObjectConsumers.watch} sets its timer on the context that adds the first consumer. */
  @Test
  @DisplayName("Consumers of idle objects go though the verticle is gone that brought the first of them")
  void verticleGone() {
    MessageConsumer<Object> first = consumer("first", "remote");
    ObjectConsumers objects = new ObjectConsumers(vertx, Duration.ofMillis(200), (address, remote) -> first);
    String deployment = Waiting.await(vertx.deployVerticle(new VerticleBase() {
      @Override
      public Future<?> start() {
        return objects.add("remote");
      }
    }));
    Waiting.await(vertx.undeploy(deployment));
    assertThat(first.isRegistered()).isTrue();
    Waiting.until(() -> !first.isRegistered());
  }
}
