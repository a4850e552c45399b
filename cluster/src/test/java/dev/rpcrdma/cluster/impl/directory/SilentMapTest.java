// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.cluster.impl.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.cluster.DirectoryOptions;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A directory whose map gives no answer, while others say that the map has changed. */
@Tag("slow")
class SilentMapTest {

  private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
  private final Vertx clock = Vertx.vertx();
  private final FakeMap map = new FakeMap();

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
    Waiting.await(clock.close());
  }

  private long threadOfLoop() {
    Promise<Long> promise = Promise.promise();
    vertx.runOnContext(go -> promise.complete(Thread.currentThread().getId()));
    return Waiting.await(promise.future());
  }

  private static long processorMillis(long thread) {
    return TimeUnit.NANOSECONDS.toMillis(ManagementFactory.getThreadMXBean().getThreadCpuTime(thread));
  }

  /**
   * Fails if {@code Directory.readNow} asks a map again that has not answered, or keeps a change that cannot be read
   * yet: its event loop would be busy until the map answers.
   */
  @Test
  @DisplayName("A map that has not answered is not asked again, and a change keeps no event loop busy meanwhile")
  void changedMeanwhile() {
    map.mood = FakeMap.Mood.HANGS;
    Directory directory = new Directory(vertx.getOrCreateContext(),
        DirectoryOptions.DEFAULT.withRefresh(Duration.ofHours(1)), map);
    Waiting.until(() -> map.readings.get() == 1);
    new Changes(vertx, DirectoryOptions.DEFAULT.map()).tell();
    assertThat(Waiting.awaitFailure(directory.refresh())).hasMessageContaining("has not answered");
    long thread = threadOfLoop();
    long before = processorMillis(thread);
    Waiting.await(clock.timer(1, TimeUnit.SECONDS));
    assertThat(processorMillis(thread) - before).isLessThan(200);
    assertThat(map.readings).hasValue(1);
  }
}
