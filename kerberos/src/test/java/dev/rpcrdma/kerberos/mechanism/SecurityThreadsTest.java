// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.mechanism;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Who has the threads, and for how long. */
class SecurityThreadsTest {

  private final Vertx vertx = Vertx.vertx();

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  private static String threadOf(Executor threads) {
    CompletableFuture<String> name = new CompletableFuture<>();
    threads.execute(() -> name.complete(Thread.currentThread().getName()));
    return Waiting.await(Future.fromCompletionStage(name));
  }

  /** Fails if closing one takes the threads of the others. */
  @Test
  @DisplayName("All of one Vert.x share the threads, until the last of them is closed; then tasks are refused")
  void shared() {
    SecurityThreads one = new SecurityThreads(vertx);
    SecurityThreads other = new SecurityThreads(vertx);
    one.close();
    assertThat(threadOf(other)).startsWith("rpcrdma-security-");
    assertThat(threadOf(other.handshakes())).startsWith("rpcrdma-tickets-");
    other.close();
    assertThatThrownBy(() -> other.execute(() -> { })).isInstanceOf(RejectedExecutionException.class);
    assertThatThrownBy(() -> other.handshakes().execute(() -> { })).isInstanceOf(RejectedExecutionException.class);
  }

  /** Fails if {@code SecurityThreads} asks for the threads as the verticle, with which Vert.x would close them. */
  @Test
  @DisplayName("They outlive the verticle that has asked for them first")
  void verticle() {
    CompletableFuture<SecurityThreads> made = new CompletableFuture<>();
    String id = Waiting.await(vertx.deployVerticle(new VerticleBase() {
      @Override
      public Future<?> start() {
        made.complete(new SecurityThreads(vertx));
        return Future.succeededFuture();
      }
    }));
    Waiting.await(vertx.undeploy(id));
    assertThat(threadOf(made.join())).startsWith("rpcrdma-security-");
    made.join().close();
  }

  @Test
  @DisplayName("A task that fails keeps no thread from the next")
  void failing() {
    SecurityThreads threads = new SecurityThreads(vertx);
    for (int i = 0; i < 10; i++) {
      threads.execute(() -> {
        throw new IllegalStateException("on purpose");
      });
    }
    assertThat(threadOf(threads)).startsWith("rpcrdma-security-");
    threads.close();
  }

  /** Fails if {@code SecurityThreads.after} drops its task. */
  @Test
  @DisplayName("What is to run later runs on an event loop, and never once Vert.x is closed")
  void later() {
    SecurityThreads threads = new SecurityThreads(vertx);
    CompletableFuture<String> name = new CompletableFuture<>();
    threads.after(Duration.ofMillis(1), () -> name.complete(Thread.currentThread().getName()));
    assertThat(Waiting.await(Future.fromCompletionStage(name))).startsWith("vert.x-eventloop");
    threads.close();
    Vertx closed = Vertx.vertx();
    SecurityThreads late = new SecurityThreads(closed);
    Waiting.await(closed.close());
    late.after(Duration.ofMillis(1), () -> { });
  }
}
