// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.cluster.impl.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.cluster.AdvertisementOptions;
import dev.rpcrdma.cluster.ClusterAdvertisement;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.testkit.fabric.MemoryProvider;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Puts and withdrawals of a server's entry, and their log lines, by timers that the test fires. */
class AdvertiserTimersTest {

  private static final long TTL = Duration.ofMinutes(2).toNanos();

  private final VertxInternal vertx = (VertxInternal) Vertx.vertx();
  private final HeldTimers held = new HeldTimers(vertx);
  private final HeldMap map = new HeldMap();
  private final DetailedLog log = new DetailedLog(Advertiser.class);

  @AfterEach
  void close() {
    log.close();
    held.close();
    Future<Void> closed = vertx.close();
    Waiting.until(() -> {
      map.puts.forEach(Promise::tryComplete);
      return closed.isComplete();
    });
  }

  private Future<ClusterAdvertisement> publish(long ttl) {
    RpcServer server = RpcServer.create(vertx, new RpcServerOptions().setProvider(MemoryProvider.NAME));
    Waiting.await(server.listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
    return Advertiser.publish(held.vertx, server,
        AdvertisementOptions.DEFAULT.withTtl(Duration.ofNanos(ttl)).withLeave(Duration.ZERO), map);
  }

  private ClusterAdvertisement published(long ttl) {
    Future<ClusterAdvertisement> publishing = publish(ttl);
    held.next();
    Waiting.next(map.puts).complete();
    return Waiting.await(publishing);
  }

  /** Waits for the timer that limits a put, and returns the put's outcome. */
  private Promise<Void> put(long ttl) {
    assertThat(held.next().nanos()).isEqualTo(ttl / 3);
    return Waiting.next(map.puts);
  }

  private void assertLogged(String... lines) {
    held.turn();
    assertThat(log.lines).hasSameSizeAs(lines);
    for (int i = 0; i < lines.length; i++) {
      assertThat(log.lines.get(i)).startsWith(lines[i].substring(0, lines[i].indexOf(' ')))
          .endsWith(lines[i].substring(lines[i].indexOf(' ')));
    }
  }

  // Putting

  /** Fails if {@code Advertiser.beat} counts from another moment than the beginning of the put. */
  @Test
  @DisplayName("An entry is put again a third of its time to live after it was put, however long that has taken")
  void again() {
    long before = System.nanoTime();
    Future<ClusterAdvertisement> publishing = publish(TTL);
    HeldTimers.Timer limit = held.next();
    assertThat(limit.nanos()).isEqualTo(TTL / 3);
    Promise<Void> first = Waiting.next(map.puts);
    long asked = System.nanoTime();
    Waiting.until(() -> System.nanoTime() - asked > 1_000_000);
    first.complete();
    Waiting.await(publishing);
    HeldTimers.Timer next = held.next();
    long elapsed = System.nanoTime() - before;
    assertThat(next.nanos()).isBetween(TTL / 3 - elapsed, TTL / 3 - 1_000_000);
    assertThat(limit.isCancelled()).as("it has an answer").isTrue();
    held.fire(next);
    put(TTL);
    assertThat(map.entries).extracting(ServerEntry::sequence).containsExactly(1L, 2L);
    assertThat(log.lines).isEmpty();
  }

  /** Fails if {@code Advertiser.beat} takes a failure for a success, or {@code Advertiser.warn} keeps no pace. */
  @Test
  @DisplayName("After a failure an entry is put again in a tenth of its time; the first failure is a warning")
  void afterFailure() {
    Future<ClusterAdvertisement> publishing = publish(TTL);
    put(TTL).fail("on purpose");
    assertThat(Waiting.await(publishing).isPublished()).isFalse();
    HeldTimers.Timer next = held.next();
    assertThat(next.nanos()).isEqualTo(TTL / 10);
    assertLogged("WARNING cannot be made known in the cluster; it is tried again");
    held.fire(next);
    put(TTL).fail("on purpose");
    assertThat(held.next().nanos()).isEqualTo(TTL / 10);
    assertLogged("WARNING cannot be made known in the cluster; it is tried again",
        "FINE cannot be made known in the cluster; it is tried again");
  }

  /** Fails if {@code Advertiser.beat} tells of each put, or of none. */
  @Test
  @DisplayName("A change is told of when an entry comes, comes again after a failure, and is taken back")
  void changes() {
    BlockingQueue<String> words = new LinkedBlockingQueue<>();
    String address = AdvertisementOptions.DEFAULT.map() + ".changed";
    vertx.eventBus().<String>consumer(address, word -> words.add(word.body()));
    ClusterAdvertisement advertisement = published(TTL);
    HeldTimers.Timer next = held.next();
    assertThat(Waiting.next(words)).isEmpty();
    held.fire(next);
    put(TTL).complete();
    next = held.next();
    vertx.eventBus().publish(address, "put again");
    held.fire(next);
    put(TTL).fail("on purpose");
    next = held.next();
    vertx.eventBus().publish(address, "failed");
    held.fire(next);
    put(TTL).complete();
    held.next();
    assertThat(Waiting.next(words)).isEqualTo("put again");
    assertThat(Waiting.next(words)).isEqualTo("failed");
    assertThat(Waiting.next(words)).isEmpty();
    Future<Void> withdrawn = advertisement.withdraw();
    held.next();
    put(TTL).complete();
    Waiting.await(withdrawn);
    assertThat(Waiting.next(words)).isEmpty();
  }

  // Taking back

  /** Fails if {@code Advertiser.beginToLeave} sets another limit, or none. */
  @Test
  @DisplayName("Taking back is waited for no longer than a third of the time to live")
  void limited() {
    ClusterAdvertisement advertisement = published(TTL);
    HeldTimers.Timer next = held.next();
    Future<Void> withdrawn = advertisement.withdraw();
    HeldTimers.Timer limit = held.next();
    assertThat(limit.nanos()).isEqualTo(TTL / 3);
    assertThat(next.isCancelled()).isTrue();
    put(TTL);
    assertThat(withdrawn.isComplete()).isFalse();
    held.fire(limit);
    Waiting.await(withdrawn);
  }

  /** Fails if {@code Advertiser.takeBack} stops at the first failure. */
  @Test
  @DisplayName("An entry that could not be taken back is tried again, with a warning")
  void takenBackAgain() {
    ClusterAdvertisement advertisement = published(TTL);
    held.next();
    Future<Void> withdrawn = advertisement.withdraw();
    held.next();
    put(TTL).fail("on purpose");
    HeldTimers.Timer retry = held.next();
    assertThat(retry.nanos()).isEqualTo(TTL / 10);
    assertLogged("WARNING cannot be taken back from the cluster; it is tried again");
    assertThat(withdrawn.isComplete()).isFalse();
    held.fire(retry);
    put(TTL).complete();
    Waiting.await(withdrawn);
    assertThat(advertisement.isPublished()).isFalse();
    assertThat(map.entries).extracting(ServerEntry::draining).containsExactly(false, true, true);
  }

  /** Fails if {@code Advertiser.takeBack} goes on for ever. */
  @Test
  @DisplayName("An entry is not taken back any more when its time to live is over")
  void givenUp() {
    long ttl = Duration.ofMillis(100).toNanos();
    ClusterAdvertisement advertisement = published(ttl);
    held.next();
    advertisement.withdraw();
    held.next();
    Promise<Void> last = put(ttl);
    long began = System.nanoTime();
    Waiting.until(() -> System.nanoTime() - began > ttl);
    last.fail("on purpose");
    assertLogged("WARNING cannot be taken back from the cluster; its entry goes by its time");
    assertThat(held.timers).isEmpty();
  }

  /** Fails if {@code Advertiser.beat} announces another try while the server leaves. */
  @Test
  @DisplayName("A put that fails while the server leaves is not announced to be tried again")
  void failsWhileLeaving() {
    ClusterAdvertisement advertisement = published(TTL);
    held.fire(held.next());
    Promise<Void> second = put(TTL);
    advertisement.withdraw();
    held.next();
    second.fail("on purpose");
    put(TTL);
    assertLogged("WARNING cannot be made known in the cluster");
  }
}
