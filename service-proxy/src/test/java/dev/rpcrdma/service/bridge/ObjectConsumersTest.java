// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.service.impl.PeerShares;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.eventbus.ReplyException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
    ObjectConsumers objects = new ObjectConsumers(vertx, Duration.ofMillis(200), new PeerShares(2),
        (address, remote) -> first);
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

  /** Fails if {@code ObjectConsumers.add} keeps a consumer that could not be registered. */
  @Test
  @DisplayName("A consumer that the cluster does not take keeps no place")
  void notRegistered() {
    ObjectConsumers objects = new ObjectConsumers(vertx, Duration.ofMinutes(5), new PeerShares(2),
        (address, remote) -> refused(consumer(address, remote)));
    for (int i = 0; i < 3; i++) {
      assertThat(Waiting.awaitFailure(objects.add("remote"))).hasMessage("on purpose");
    }
  }

  /** A consumer of which the cluster does not hear. */
  @SuppressWarnings("unchecked") // implements that interface
  private static MessageConsumer<Object> refused(MessageConsumer<Object> consumer) {
    return (MessageConsumer<Object>) Proxy.newProxyInstance(ObjectConsumersTest.class.getClassLoader(),
        new Class<?>[] {MessageConsumer.class}, (proxy, method, arguments) -> method.getName().equals("completion")
            ? Future.failedFuture("on purpose") : method.invoke(consumer, arguments));
  }

  /**
   * Fails if {@code ObjectConsumers.add} drops another consumer for a new one, or adds one above the bound, or if a
   * number stays as it was.
   */
  @Test
  @DisplayName("No object pushes out another one; a peer has half of what the others leave free")
  void bounded() {
    PeerShares shares = new PeerShares(8);
    ObjectConsumers greedy = new ObjectConsumers(vertx, Duration.ofMinutes(5), shares, this::consumer);
    ObjectConsumers modest = new ObjectConsumers(vertx, Duration.ofMinutes(5), shares, this::consumer);
    List<String> addresses = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      addresses.add(Waiting.await(greedy.add("remote " + i)));
    }
    assertThat(Waiting.awaitFailure(greedy.add("more"))).isInstanceOf(ReplyException.class)
        .hasMessageStartingWith("The bridge knows 4 objects of this peer");
    for (int i = 0; i < 4; i++) {
      assertThat(Waiting.await(vertx.eventBus().request(addresses.get(i), "")).body()).isEqualTo("remote " + i);
    }
    Waiting.await(modest.add("one"));
    Waiting.await(modest.add("two"));
    assertThat(Waiting.awaitFailure(modest.add("three"))).hasMessageContaining("knows 2 objects");
    Waiting.await(greedy.close());
    Waiting.await(modest.add("three"));
    assertThat(Waiting.awaitFailure(vertx.eventBus().request(addresses.get(0), "")))
        .hasMessageContaining("No handlers");
    assertThat(Waiting.awaitFailure(greedy.add("late"))).hasMessage("The bridge is closed");
  }
}
