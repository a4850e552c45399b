// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.cluster.impl.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcClosedException;
import dev.rpcrdma.cluster.DirectoryOptions;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.AbstractVerticle;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import io.vertx.core.internal.VertxInternal;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** End of a directory: pending refreshes fail, and nothing is left behind. */
class ClosingDirectoryTest {

  private static final DirectoryOptions OPTIONS = DirectoryOptions.DEFAULT.withRefresh(Duration.ofHours(1));

  private final VertxInternal vertx = (VertxInternal) Vertx.vertx();
  private final HeldTimers held = new HeldTimers(vertx);
  private final HeldMap map = new HeldMap();

  @AfterEach
  void close() {
    held.close();
    Waiting.await(vertx.close());
  }

  private static void assertClosed(Future<?> asked) {
    assertThat(Waiting.awaitFailure(asked)).isInstanceOf(RpcClosedException.class).hasMessageContaining("is closed");
  }

  /** Fails if {@code Directory.end} fails only some refreshes, or {@code Directory.read} never completes. */
  @Test
  @DisplayName("Refreshes fail when the directory is closed: those of a reading, those of the next one, and later ones")
  void refreshes() {
    Directory directory = new Directory(held.owner, OPTIONS, map);
    Waiting.next(map.readings).complete(Map.of());
    held.next();
    held.next();
    Future<?> read = directory.refresh();
    held.fire(held.next());
    Waiting.next(map.readings);
    Future<?> waits = directory.refresh();
    held.turn();
    Waiting.await(directory.close());
    assertClosed(read);
    assertClosed(waits);
    assertClosed(directory.refresh());
  }

  /** Fails if {@code Directory.close} leaves its close hook, or {@code Directory.end} its consumer. */
  @Test
  @DisplayName("A closed directory is known to neither its context nor the event bus")
  void unregistered() {
    Directory directory = new Directory(held.owner, OPTIONS, map);
    Waiting.next(map.readings);
    assertThat(held.hooks).containsExactly(directory);
    Waiting.await(directory.close());
    assertThat(held.hooks).isEmpty();
    Throwable failure = Waiting.awaitFailure(vertx.eventBus().request(DirectoryOptions.DEFAULT_MAP + ".changed", ""));
    assertThat(failure).isInstanceOfSatisfying(ReplyException.class,
        none -> assertThat(none.failureType()).isEqualTo(ReplyFailure.NO_HANDLERS));
    Waiting.await(directory.close());
  }

  /** Fails if {@code Directory.begin} begins after the end. */
  @Test
  @DisplayName("A directory that is closed at once reads nothing")
  void closedAtOnce() {
    Promise<Void> closed = Promise.promise();
    held.owner.runOnContext(go -> new Directory(held.owner, OPTIONS, map).close().onComplete(closed));
    Waiting.await(closed.future());
    held.turn();
    assertThat(map.readings).isEmpty();
  }

  /** Fails if {@code Directory} sets no close hook. */
  @Test
  @DisplayName("A directory is closed with the verticle that has opened it")
  void undeployed() {
    Promise<Directory> opened = Promise.promise();
    String deployment = Waiting.await(vertx.deployVerticle(new AbstractVerticle() {
      @Override
      public void start() {
        opened.complete(new Directory(context, OPTIONS, map));
      }
    }));
    Directory directory = Waiting.await(opened.future());
    Waiting.await(vertx.undeploy(deployment));
    assertClosed(directory.refresh());
  }
}
