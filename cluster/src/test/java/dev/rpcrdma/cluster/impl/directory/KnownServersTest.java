// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.cluster.impl.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.cluster.AdvertisementOptions;
import dev.rpcrdma.cluster.ClusterAdvertisement;
import dev.rpcrdma.cluster.ClusterServer;
import dev.rpcrdma.cluster.DirectoryOptions;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.testkit.fabric.MemoryProvider;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Servers that a directory knows: their age, their memory, and the log lines when they come and leave. */
class KnownServersTest {

  private final Vertx vertx = Vertx.vertx();
  private final FakeMap map = new FakeMap();

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  private Directory open() {
    return new Directory(vertx.getOrCreateContext(), DirectoryOptions.DEFAULT.withRefresh(Duration.ofHours(1)), map);
  }

  private void put(String instance, long sequence, boolean draining, long ttlMillis) {
    map.entries.put(instance, EntryText.write(ClusterPictureTest.entry(instance, sequence, draining, 7,
        TimeUnit.MILLISECONDS.toNanos(ttlMillis))));
  }

  /** Fails if {@code Directory.open} or {@code Advertiser.publish} returns nothing, or uses another map. */
  @Test
  @DisplayName("A server that is published in a Vert.x instance without a cluster is known there")
  void withoutCluster() {
    RpcServer server = RpcServer.create(vertx, new RpcServerOptions().setProvider(MemoryProvider.NAME));
    Waiting.await(server.listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
    ClusterAdvertisement advertisement = Waiting.await(
        Advertiser.publish(vertx, server, AdvertisementOptions.DEFAULT.withLeave(Duration.ZERO)));
    Directory directory = Directory.open(vertx, DirectoryOptions.DEFAULT);
    assertThat(Waiting.await(directory.refresh())).extracting(ClusterServer::instance)
        .containsExactly(advertisement.instance());
  }

  /** Fails if {@code Directory.age} is not the time since the reading. */
  @Test
  @DisplayName("The age of what is known is the time since it was read")
  void age() {
    long before = System.nanoTime();
    Directory directory = open();
    Waiting.await(directory.refresh());
    long read = System.nanoTime();
    Duration age = directory.age().orElseThrow();
    assertThat(age).isBetween(Duration.ZERO, Duration.ofNanos(System.nanoTime() - before));
    Waiting.until(() -> System.nanoTime() - read > TimeUnit.SECONDS.toNanos(1));
    assertThat(directory.age().orElseThrow()).isGreaterThan(Duration.ofSeconds(1));
    assertThat(directory.isFresh()).as("for three hours").isTrue();
  }

  /** Fails if {@code Directory.done} does not tell the picture of a failure: entries would age meanwhile. */
  @Test
  @DisplayName("A server whose entry stays as it is remains listed while readings fail now and then")
  void nothingAges() {
    Directory directory = open();
    put("a", 1, false, 250);
    long began = System.nanoTime();
    Waiting.until(() -> {
      map.mood = FakeMap.Mood.FAILS;
      Waiting.awaitFailure(directory.refresh());
      map.mood = FakeMap.Mood.WORKS;
      assertThat(Waiting.await(directory.refresh())).hasSize(1);
      return System.nanoTime() - began > TimeUnit.MILLISECONDS.toNanos(750);
    });
  }

  /** Fails if {@code Directory.use} says nothing of changes, or something without one. */
  @Test
  @DisplayName("Servers that come and leave are in the detailed log")
  void details() {
    try (DetailedLog log = new DetailedLog(Directory.class)) {
      Directory directory = open();
      Waiting.await(directory.refresh());
      assertThat(log.lines).isEmpty();
      put("a", 1, false, 60_000);
      Waiting.await(directory.refresh());
      assertThat(log.lines).containsExactly("FINE Servers of the cluster have come: [a], and left: []");
      Waiting.await(directory.refresh());
      assertThat(log.lines).hasSize(1);
      put("a", 2, true, 60_000);
      Waiting.await(directory.refresh());
      assertThat(log.lines).hasSize(2).last().isEqualTo(
          "FINE Servers of the cluster have come: [], and left: [a]");
    }
  }

  /** Fails if {@code Directory.done} keeps refreshes that it has completed. */
  @Test
  @DisplayName("What was known earlier is not held in memory")
  void notHeld() {
    Directory directory = open();
    WeakReference<Listing> earlier = new WeakReference<>(Waiting.await(directory.read()));
    Waiting.await(directory.read());
    Waiting.until(() -> {
      System.gc();
      return earlier.get() == null;
    });
  }
}
