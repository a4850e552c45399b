// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.leases;

import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcServer;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Two clients read a value a thousand times each, and a third one changes it: the clients call once, keep what they
 * have got, and hear of the change by a callback over the same connection before it is made.
 */
public final class LeaseExample {

  private static final int READS = 1000;

  private LeaseExample() {}

  /**
   * Runs the example.
   *
   * @param arguments none
   * @throws Exception if it does not work
   */
  public static void main(String[] arguments) throws Exception {
    Vertx vertx = Vertx.vertx();
    try {
      System.out.println(run(vertx).toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS));
    } finally {
      vertx.close().toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
    }
  }

  /** Plays it, all on one context. */
  static Future<String> run(Vertx vertx) {
    Context context = vertx.getOrCreateContext();
    return on(context, () -> {
      RpcServer server = RpcServer.create(vertx).bind(Shelf.class, new LeasingShelf(vertx, Duration.ofSeconds(10)));
      return server.listen(SocketAddress.inetSocketAddress(0, "127.0.0.1"))
          .compose(listening -> play(vertx, SocketAddress.inetSocketAddress(server.actualPort(), "127.0.0.1")));
    });
  }

  private static Future<String> play(Vertx vertx, SocketAddress address) {
    RpcClient client = RpcClient.create(vertx);
    LeaseCache one = new LeaseCache(client.channel(address));
    LeaseCache two = new LeaseCache(client.channel(address));
    LeaseCache third = new LeaseCache(client.channel(address));
    return third.put("price", "10")
        .compose(set -> Future.join(read(one, READS), read(two, READS)))
        .compose(read -> third.put("price", "11"))
        .compose(changed -> Future.join(read(one, READS), read(two, READS)))
        .map(read -> "Both clients read " + 4 * READS + " times, the last time " + read.resultAt(0) + " and "
            + read.resultAt(1) + ", with " + (one.asked() + two.asked()) + " calls");
  }

  /** Reads so many times, one after the other; what it has read last. */
  private static Future<String> read(LeaseCache cache, int times) {
    Future<String> value = cache.get("price");
    return times == 1 ? value : value.compose(known -> readHeld(cache, times - 1));
  }

  /** Without a stack of futures: what is held is there at once. */
  private static Future<String> readHeld(LeaseCache cache, int times) {
    for (int i = 1; i < times; i++) {
      cache.get("price");
    }
    return cache.get("price");
  }

  private static <T> Future<T> on(Context context, Supplier<Future<T>> action) {
    Promise<T> promise = Promise.promise();
    context.runOnContext(turn -> action.get().onComplete(promise));
    return promise.future();
  }
}
