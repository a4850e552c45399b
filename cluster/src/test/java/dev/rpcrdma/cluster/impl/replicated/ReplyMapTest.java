// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.cluster.impl.replicated;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.cluster.replicated.ReplicatedRepliesOptions;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.ThreadingModel;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The map that servers share, as its source gives it. */
class ReplyMapTest {

  private final Vertx vertx = Vertx.vertx();

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  /** Fails if {@code ReplyMap.got} keeps a map that it did not get, or asks again for one that it has. */
  @Test
  @DisplayName("A map that could not be got is asked for again, and one that was got is not")
  void askedAgain() {
    AtomicInteger asked = new AtomicInteger();
    ReplyMap map = new ReplyMap(() -> asked.incrementAndGet() == 1
        ? Future.failedFuture("the cluster is not there yet, on purpose")
        : vertx.sharedData().getLocalAsyncMap("replies"), new ReplicatedRepliesOptions());
    assertThat(Waiting.awaitFailure(map.read(vertx.getOrCreateContext(), 20_000, "key"))).hasMessageContaining("yet");
    for (int i = 0; i < 2; i++) {
      assertThat(Waiting.await(map.read(vertx.getOrCreateContext(), 20_000, "key"))).isNull();
      assertThat(asked).hasValue(2);
    }
  }

  /** Fails if {@code ReplyMap.got} keeps a future that belongs to the context of the first call. */
  @Test
  @DisplayName("A map goes on when the verticle is gone whose call has got it first, and its worker pool with it")
  void verticleGone() {
    ReplyMap map = new ReplyMap(() -> vertx.sharedData().getLocalAsyncMap("replies"), new ReplicatedRepliesOptions());
    Waiting.await(vertx.deployVerticle(new VerticleBase() {
      @Override
      public Future<?> start() {
        return map.read(context, 20_000, "key");
      }
    }, new DeploymentOptions().setThreadingModel(ThreadingModel.WORKER).setWorkerPoolName("short")
        .setWorkerPoolSize(1)).compose(vertx::undeploy));
    assertThat(Waiting.await(map.read(vertx.getOrCreateContext(), 20_000, "key"))).isNull();
  }
}
