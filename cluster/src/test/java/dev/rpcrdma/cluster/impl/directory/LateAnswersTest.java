// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.cluster.impl.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.cluster.AdvertisementOptions;
import dev.rpcrdma.cluster.DirectoryOptions;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.testkit.fabric.MemoryProvider;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Answers of the cluster that come after the end of a server, or of Vert.x: details for the log, and no more. */
class LateAnswersTest {

  private final Vertx vertx = Vertx.vertx();
  private final HeldMap map = new HeldMap();

  private RpcServer publishedServer() {
    RpcServer server = RpcServer.create(vertx, new RpcServerOptions().setProvider(MemoryProvider.NAME));
    Waiting.await(server.listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
    Advertiser.publish(vertx, server,
        AdvertisementOptions.DEFAULT.withTtl(Duration.ofMillis(100)).withLeave(Duration.ZERO), map);
    return server;
  }

  /** Fails if {@code Directory.readNow} does not expect that its loop has ended. */
  @Test
  @DisplayName("A reading that is answered after the end of Vert.x is a detail for the log")
  void reading() {
    new Directory(vertx.getOrCreateContext(), DirectoryOptions.DEFAULT, map);
    Promise<Map<String, Object>> reading = Waiting.next(map.readings);
    Waiting.await(vertx.close());
    try (DetailedLog log = new DetailedLog(Directory.class)) {
      reading.complete(Map.of());
      assertThat(log.lines).containsExactly("FINE An answer of the cluster comes after the end of Vert.x");
    }
  }

  /** Fails if {@code Advertiser.run} does not expect that its loop has ended. */
  @Test
  @DisplayName("A put that is answered after the end of Vert.x is a detail for the log")
  void put() {
    publishedServer();
    Promise<Void> put = Waiting.next(map.puts);
    Waiting.await(vertx.close());
    try (DetailedLog log = new DetailedLog(Advertiser.class)) {
      put.complete();
      assertThat(log.lines).containsExactly("FINE An answer of the cluster comes after the end of Vert.x");
    }
  }

  /** Fails if {@code Advertiser.leave} does not look at what becomes of the removal. */
  @Test
  @DisplayName("A closed server's entry that cannot be removed is a detail for the log")
  void removal() {
    try (DetailedLog log = new DetailedLog(Advertiser.class)) {
      RpcServer server = publishedServer();
      map.removal = Future.failedFuture("on purpose");
      Waiting.next(map.puts).complete();
      Waiting.await(server.close());
      Waiting.until(() -> log.lines.contains("FINE The entry of a server that has closed goes by its time"));
    } finally {
      Waiting.await(vertx.close());
    }
  }
}
