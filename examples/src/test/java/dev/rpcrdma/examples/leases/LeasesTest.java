// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.leases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import java.time.Duration;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The example of a cache whose server recalls leases. */
class LeasesTest {

  private static final Duration LEASE = Duration.ofSeconds(2);

  private final Vertx vertx = Vertx.vertx();
  private final Context context = vertx.getOrCreateContext();

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  private <T> T on(Supplier<Future<T>> action) {
    Promise<T> promise = Promise.promise();
    context.runOnContext(turn -> action.get().onComplete(promise));
    return Waiting.await(promise.future());
  }

  @Test
  @DisplayName("The example reads what was set last, with one call for each value and client")
  void example() {
    assertThat(Waiting.await(LeaseExample.run(vertx)))
        .isEqualTo("Both clients read 4000 times, the last time 11 and 11, with 4 calls");
  }

  @Test
  @DisplayName("A client that does not answer has its lease until it is over, and nothing changes before")
  void silent() {
    RpcServer server = on(() -> RpcServer.create(vertx).bind(Shelf.class, new LeasingShelf(vertx, LEASE))
        .listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
    RpcClient client = on(() -> Future.succeededFuture(RpcClient.create(vertx)));
    SocketAddress address = SocketAddress.inetSocketAddress(server.actualPort(), "127.0.0.1");
    LeaseCache writer = on(() -> Future.succeededFuture(new LeaseCache(client.channel(address))));
    on(() -> writer.put("k", "old"));
    RpcChannel holder = client.channel(address);
    Promise<String> recalled = Promise.promise();
    holder.bind(LeaseEvents.class, key -> {
      recalled.complete(key);
      return Promise.<Void>promise().future();
    });
    long asked = System.nanoTime();
    assertThat(on(() -> holder.proxy(Shelf.class).get("k")).value()).isEqualTo("old");
    on(() -> writer.put("k", "new"));
    assertThat(Waiting.await(recalled.future())).isEqualTo("k");
    assertThat(System.nanoTime() - asked).isGreaterThanOrEqualTo(LEASE.toNanos());
    assertThat(on(() -> writer.get("k"))).isEqualTo("new");
  }
}
