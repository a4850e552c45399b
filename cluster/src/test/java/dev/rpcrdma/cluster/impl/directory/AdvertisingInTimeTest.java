// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.cluster.impl.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.cluster.AdvertisementOptions;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.testkit.fabric.MemoryProvider;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.net.SocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * How long a server's entry stays as it is. Its timers and those of the test are of one event loop: they have an order,
 * however slow the machine is.
 */
class AdvertisingInTimeTest {

  private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  /** Notes each put that the next one does not follow in time. */
  private final class TimedMap implements ClusterMap {

    final FakeMap map = new FakeMap();
    final Queue<Integer> late = new ConcurrentLinkedQueue<>();
    private final long millis;

    TimedMap(long millis) {
      this.millis = millis;
    }

    @Override
    public Future<Void> put(String instance, String entry, long ttlMillis) {
      Future<Void> outcome = map.put(instance, entry, ttlMillis);
      int number = map.puts.size();
      vertx.setTimer(millis, due -> {
        if (map.puts.size() == number) {
          late.add(number);
        }
      });
      return outcome;
    }

    @Override
    public Future<Void> remove(String instance) {
      return map.remove(instance);
    }

    @Override
    public Future<Map<String, Object>> entries() {
      return map.entries();
    }
  }

  /** Fails if {@code Advertiser.beginToLeave} does not wait for the entry that is being put. */
  @Test
  @DisplayName("A server is taken back when its entry has been put, which would come behind otherwise")
  void takenBackBehind() {
    HeldMap map = new HeldMap();
    RpcServer server = RpcServer.create(vertx, new RpcServerOptions().setProvider(MemoryProvider.NAME));
    Waiting.await(server.listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
    Advertiser.publish(vertx, server,
        AdvertisementOptions.DEFAULT.withTtl(Duration.ofMinutes(2)).withLeave(Duration.ZERO), map);
    Promise<Void> first = Waiting.next(map.puts);
    Future<Void> closed = server.close();
    for (int i = 0; i < 20; i++) {
      Promise<Void> turn = Promise.promise();
      vertx.runOnContext(go -> turn.complete());
      Waiting.await(turn.future());
    }
    assertThat(map.puts).isEmpty();
    first.complete();
    Waiting.next(map.puts).complete();
    Waiting.await(closed);
    assertThat(map.entries).extracting(ServerEntry::draining).containsExactly(false, true);
  }

  /** Fails if {@code Advertiser.beat} puts again later than it says. */
  @ParameterizedTest
  @CsvSource({"WORKS, 600, 300", "FAILS, 3000, 1000"})
  @DisplayName("An entry is put again within half of its time to live; after a failure within a third")
  void inTime(FakeMap.Mood mood, long ttlMillis, long mostMillis) {
    TimedMap map = new TimedMap(mostMillis);
    map.map.mood = mood;
    RpcServer server = RpcServer.create(vertx, new RpcServerOptions().setProvider(MemoryProvider.NAME));
    Waiting.await(server.listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
    Waiting.await(Advertiser.publish(vertx, server,
        AdvertisementOptions.DEFAULT.withTtl(Duration.ofMillis(ttlMillis)).withLeave(Duration.ZERO), map));
    Waiting.until(() -> map.map.puts.size() > 2 || !map.late.isEmpty());
    assertThat(map.late).isEmpty();
    map.map.mood = FakeMap.Mood.WORKS;
  }
}
