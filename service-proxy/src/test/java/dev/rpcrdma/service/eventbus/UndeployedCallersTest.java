// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.eventbus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.RpcClosedException;
import dev.rpcrdma.service.fixture.Errands;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.ThreadingModel;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Callers of a cluster's clients whose threads are closed in the middle of a call. */
class UndeployedCallersTest {

  private static final int MOST = 2;

  private final Vertx vertx = Vertx.vertx();
  private final List<EventBusChannel> opened = new ArrayList<>();
  private final ClusterClients clients = new ClusterClients(vertx, MOST, address -> {
    EventBusChannel channel = EventBusChannel.create(vertx, address);
    opened.add(channel);
    return channel;
  });

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  /** Fails if {@code ClusterClients.Peer} hears of outcomes on the context of its caller. */
  @Test
  @DisplayName("A channel whose last caller was undeployed with its worker pool is closed as any other one")
  void callerGone() {
    vertx.eventBus().consumer("rpcrdma:client:silent", message -> { });
    // The channel belongs to no verticle.
    Waiting.awaitFailure(clients.peer("silent").proxy(Errands.class,
        CallOptions.DEFAULT.withTimeout(Duration.ofMillis(50))).echo(""));
    Waiting.await(vertx.deployVerticle(new VerticleBase() {
      @Override
      public Future<?> start() {
        clients.peer("silent").proxy(Errands.class, CallOptions.DEFAULT.withTimeout(Duration.ofMillis(300))).echo("");
        return Future.succeededFuture();
      }
    }, new DeploymentOptions().setThreadingModel(ThreadingModel.WORKER).setWorkerPoolName("short")
        .setWorkerPoolSize(1)).compose(vertx::undeploy));
    Waiting.until(() -> opened.get(0).calls() == 0);
    for (int i = 0; i < MOST + 1; i++) {
      Waiting.awaitFailure(clients.peer("nobody " + i).proxy(Errands.class).echo(""));
    }
    assertThat(Waiting.awaitFailure(opened.get(0).proxy(Errands.class).echo("")))
        .isInstanceOf(RpcClosedException.class);
  }

  /** Holds already: shows that the other test fails for the caller's end alone. */
  @Test
  @DisplayName("A channel whose last caller is there is closed")
  void callerThere() {
    vertx.eventBus().consumer("rpcrdma:client:silent", message -> { });
    Waiting.awaitFailure(clients.peer("silent").proxy(Errands.class,
        CallOptions.DEFAULT.withTimeout(Duration.ofMillis(50))).echo(""));
    for (int i = 0; i < MOST + 1; i++) {
      Waiting.awaitFailure(clients.peer("nobody " + i).proxy(Errands.class).echo(""));
    }
    assertThat(Waiting.awaitFailure(opened.get(0).proxy(Errands.class).echo("")))
        .isInstanceOf(RpcClosedException.class);
  }
}
