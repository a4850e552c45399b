// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.cluster.impl.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.cluster.DirectoryOptions;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.internal.VertxInternal;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Readings of a directory's map, by timers that the test fires. */
class DirectoryTimersTest {

  private static final long REFRESH = TimeUnit.HOURS.toNanos(1);
  private static final long LIMIT = TimeUnit.SECONDS.toNanos(5);
  private static final long BETWEEN = TimeUnit.MILLISECONDS.toNanos(50);

  private final VertxInternal vertx = (VertxInternal) Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
  private final HeldTimers held = new HeldTimers(vertx);
  private final HeldMap map = new HeldMap();
  private final Directory directory = new Directory(held.owner,
      DirectoryOptions.DEFAULT.withRefresh(Duration.ofNanos(REFRESH)), map);
  private Promise<Map<String, Object>> first;
  private HeldTimers.Timer firstLimit;

  @BeforeEach
  void firstReading() {
    first = Waiting.next(map.readings);
    firstLimit = held.next();
    assertThat(firstLimit.nanos()).isEqualTo(LIMIT);
  }

  @AfterEach
  void close() {
    held.close();
    Waiting.await(vertx.close());
  }

  private void assertNextIn(long nanos) {
    assertThat(held.next().nanos()).isEqualTo(nanos);
  }

  /** Waits for the timer of a reading that was asked for. */
  private HeldTimers.Timer soon() {
    HeldTimers.Timer soon = held.next();
    assertThat(soon.nanos()).isBetween(0L, BETWEEN);
    return soon;
  }

  /** Announces a change of the map, and waits until the directory has noted it. */
  private void change() {
    Promise<Void> heard = Promise.promise();
    Changes changes = new Changes(vertx, DirectoryOptions.DEFAULT_MAP);
    changes.hear(heard::tryComplete);
    changes.tell();
    Waiting.await(heard.future());
    held.turn();
  }

  /** Fails if {@code Directory.readNow} keeps requests waiting that the reading answers. */
  @Test
  @DisplayName("A map is read again after its refresh period, once nothing has changed and all are answered")
  void refreshed() {
    first.complete(Map.of());
    assertNextIn(REFRESH);
    Future<?> asked = directory.refresh();
    held.fire(soon());
    assertNextIn(LIMIT);
    Waiting.next(map.readings).complete(Map.of());
    Waiting.await(asked);
    assertNextIn(REFRESH);
  }

  /** Fails if {@code Directory.readSoon} waits from another moment than the beginning of the last reading. */
  @Test
  @DisplayName("The next reading begins 50 ms after the last one has begun")
  void between() {
    first.complete(Map.of());
    assertNextIn(REFRESH);
    directory.refresh();
    long before = System.nanoTime();
    held.fire(soon());
    Waiting.next(map.readings).complete(Map.of());
    assertNextIn(LIMIT);
    assertNextIn(REFRESH);
    directory.refresh();
    HeldTimers.Timer timer = held.next();
    long elapsed = System.nanoTime() - before;
    assertThat(timer.nanos()).isBetween(Math.max(0, BETWEEN - elapsed), BETWEEN);
  }

  /** Fails if {@code Directory.done} forgets that the map has changed since the reading began. */
  @Test
  @DisplayName("A change during a reading is read soon after it")
  void changedMeanwhile() {
    change();
    first.complete(Map.of());
    held.fire(soon());
    Waiting.next(map.readings).complete(Map.of());
    assertNextIn(LIMIT);
    assertNextIn(REFRESH);
  }

  /** Fails if {@code Directory.done} forgets a refresh that was requested since the reading began. */
  @Test
  @DisplayName("A refresh during a reading has a reading of its own, soon after it")
  void askedMeanwhile() {
    Future<?> asked = directory.refresh();
    held.turn();
    first.complete(Map.of());
    HeldTimers.Timer soon = soon();
    assertThat(asked.isComplete()).isFalse();
    held.fire(soon);
    Waiting.next(map.readings).complete(Map.of());
    Waiting.await(asked);
  }

  /** Fails if the timer that {@code Directory.readNow} sets does nothing. */
  @Test
  @DisplayName("A refresh fails when the cluster has not answered within 5 s")
  void limited() {
    first.complete(Map.of());
    assertNextIn(REFRESH);
    Future<?> asked = directory.refresh();
    held.fire(soon());
    held.fire(held.next());
    assertThat(Waiting.awaitFailure(asked)).hasMessage("The cluster does not answer");
    assertThat(directory.listing()).as("the last one").isNotNull();
  }

  /** Fails if {@code Directory.readNow} asks again within a minute, or does not say that it has not asked. */
  @Test
  @DisplayName("A map that has not answered is not asked again until it does, and its late answer is not used")
  void notAskedAgain() {
    held.fire(firstLimit);
    assertNextIn(REFRESH);
    Future<?> asked = directory.refresh();
    held.fire(soon());
    assertThat(map.readings).isEmpty();
    assertThat(Waiting.awaitFailure(asked)).hasMessageContaining("has not answered when it was asked last");
    assertNextIn(REFRESH);
    first.complete(Map.of());
    held.turn();
    assertThat(directory.listing()).isNull();
    directory.refresh();
    held.fire(soon());
    assertThat(map.readings).hasSize(1);
  }

  /** Fails if {@code Directory.end} does not cancel the next reading. */
  @Test
  @DisplayName("A closed directory has no reading ahead")
  void closedBetweenReadings() {
    first.complete(Map.of());
    HeldTimers.Timer refresh = held.next();
    Waiting.await(directory.close());
    assertThat(refresh.isCancelled()).isTrue();
  }
}
