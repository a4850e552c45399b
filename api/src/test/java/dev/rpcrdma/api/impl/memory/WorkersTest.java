// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class WorkersTest {

  private final Vertx vertx = Vertx.vertx();
  private final Workers workers = new Workers(vertx);

  /** Fails if {@code Workers.run} leaves a caller waiting for a task that failed or was rejected. */
  @Test
  @DisplayName("A task fails with what it throws, and at once if the workers have ended")
  void failures() {
    AssertionError failure = new AssertionError("of the task");
    assertThat(Waiting.awaitFailure(workers.run(() -> {
      throw failure;
    }))).isSameAs(failure);
    assertThat(Waiting.await(workers.run(() -> 7))).isEqualTo(7);
    Waiting.await(vertx.close());
    Future<Integer> late = workers.run(() -> 8);
    assertThat(late.cause()).isInstanceOf(RejectedExecutionException.class);
  }
}
