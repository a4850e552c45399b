// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.vertx.Contexts;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.ThreadingModel;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Where upcalls are made, and what is refused at the outset. */
@DisplayName("support: loops")
final class LoopsTest {

  private final EventLoop loop = new DefaultEventLoop();

  @AfterEach
  void end() {
    loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
  }

  @Test
  @DisplayName("The context of a worker is replaced by one on the same loop, that of an event loop is not")
  void contexts() throws Exception {
    Vertx vertx = Vertx.vertx();
    try {
      Context own = ((VertxInternal) vertx).createEventLoopContext();
      assertThat(Loops.onLoop(own)).isSameAs(own);
      Context worker = ((VertxInternal) vertx).createWorkerContext();
      Context made = Loops.onLoop(worker);
      assertThat(made.threadingModel()).isEqualTo(ThreadingModel.EVENT_LOOP);
      assertThat(Contexts.eventLoop(made)).isSameAs(Contexts.eventLoop(worker));
    } finally {
      vertx.close().toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }
  }

  /** Fails if {@code Loops.close} waits for what an ended loop will not do, or lets through what that says. */
  @Test
  @DisplayName("What is closed behind its loop is closed when that has ended")
  void closing() throws Exception {
    Promise<Void> closed = Promise.promise();
    AtomicBoolean asked = new AtomicBoolean();
    Future<Void> first = Loops.close(loop, () -> asked.set(true), closed.future());
    loop.submit(() -> { }).get(10, TimeUnit.SECONDS);
    assertThat(asked).isTrue();
    assertThat(first.isComplete()).isFalse();
    // It ends when nothing has come for so long.
    loop.shutdownGracefully(200, 20_000, TimeUnit.MILLISECONDS);
    Future<Void> ending = Loops.close(loop, () -> asked.set(false), closed.future());
    assertThat(ending.isComplete()).as("the loop has not ended").isFalse();
    ending.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    assertThat(loop.isTerminated()).isTrue();
    assertThat(asked).isTrue();
    first.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
  }

  @Test
  @DisplayName("What is closed on its loop is closed when its own future says so, and so is what was closed before")
  void closed() throws Exception {
    Promise<Void> closed = Promise.promise();
    Future<Void> closing = Loops.close(loop, closed::complete, closed.future());
    closing.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    Future<Void> again = Loops.close(loop, () -> {
      throw new AssertionError("It is closed");
    }, closed.future());
    assertThat(again.isComplete()).isTrue();
  }

  /** Fails if {@code Loops.close} lets through what a loop says that has begun to end since it was asked. */
  @Test
  @DisplayName("What is closed when its loop has just begun to end is closed when that has ended")
  void closingMeanwhile() throws Exception {
    AtomicBoolean unnoticed = new AtomicBoolean();
    EventLoop late = new DefaultEventLoop() {
      @Override
      public boolean isShuttingDown() {
        return !unnoticed.get() && super.isShuttingDown();
      }
    };
    late.submit(() -> { }).get(10, TimeUnit.SECONDS);
    late.shutdownGracefully(0, 1, TimeUnit.SECONDS).get(20, TimeUnit.SECONDS);
    unnoticed.set(true);
    Loops.close(late, () -> { }, Promise.<Void>promise().future()).toCompletionStage().toCompletableFuture()
        .get(20, TimeUnit.SECONDS);
  }

  @Test
  @DisplayName("A task is run at once on its loop, and later by it from elsewhere")
  void tasks() throws Exception {
    CompletableFuture<Boolean> onLoop = new CompletableFuture<>();
    Loops.run(loop, () -> onLoop.complete(loop.inEventLoop()));
    assertThat(onLoop.get(10, TimeUnit.SECONDS)).isTrue();
    assertThat(loop.submit(() -> {
      AtomicBoolean done = new AtomicBoolean();
      Loops.run(loop, () -> done.set(true));
      return done.get();
    }).get(10, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  @DisplayName("A loop that ends is refused as closed")
  void ended() {
    assertThatCode(() -> Loops.check(loop)).doesNotThrowAnyException();
    loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    assertThatThrownBy(() -> Loops.check(loop)).isInstanceOf(VerbsException.class)
        .extracting(e -> ((VerbsException) e).kind()).isEqualTo(VerbsException.Kind.CLOSED);
    IllegalStateException refused = new IllegalStateException();
    assertThat(Loops.ended(refused)).hasCause(refused);
  }

  @Test
  @DisplayName("TLS that is wanted is refused by who has none")
  void noTls() {
    assertThatCode(() -> NoTls.check("memory", Optional.empty())).doesNotThrowAnyException();
    assertThatThrownBy(() -> NoTls.check("memory", Optional.of("keys"))).isInstanceOf(VerbsException.class)
        .hasMessageContaining("'memory'").extracting(e -> ((VerbsException) e).kind())
        .isEqualTo(VerbsException.Kind.UNSUPPORTED);
  }
}
