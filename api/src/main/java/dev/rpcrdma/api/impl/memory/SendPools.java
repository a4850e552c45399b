// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.memory;

import dev.rpcrdma.api.impl.loop.LoopCalls;
import dev.rpcrdma.verbs.ProtectionDomain;
import io.netty.channel.EventLoop;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The send buffers of a device, by event loop and length. Thread-safe. */
public final class SendPools {

  private record Key(EventLoop loop, int length) {}

  private final Vertx vertx;
  private final ProtectionDomain domain;
  /** Guarded by itself. */
  private final Map<Key, Future<SendPool>> pools = new HashMap<>();

  public SendPools(Vertx vertx, ProtectionDomain domain) {
    this.vertx = vertx;
    this.domain = domain;
  }

  private <T> List<Future<T>> each(Function<SendPool, Future<T>> question) {
    List<Future<SendPool>> all;
    synchronized (pools) {
      all = List.copyOf(pools.values());
    }
    return all.stream().filter(pool -> !pool.failed()).map(pool -> pool.compose(made -> {
      Promise<T> answer = Promise.promise();
      return LoopCalls.ask(made.loop(), answer.future(), () -> question.apply(made).onComplete(answer));
    })).toList();
  }

  /** How many buffers are in use, for leak checks. */
  public Future<Integer> inUse() {
    List<Future<Integer>> counts = each(pool -> Future.succeededFuture(pool.count() - pool.left()));
    return Future.join(counts).map(all -> counts.stream().mapToInt(Future::result).sum());
  }

  /** Deregisters them all. */
  public Future<Void> close() {
    return Future.join(each(SendPool::close)).mapEmpty();
  }

  /** The buffers of a loop, as soon as there are some; fails if there is no memory for them. */
  public Future<SendPool> of(EventLoop loop, int length) {
    Key key = new Key(loop, length);
    synchronized (pools) {
      Future<SendPool> pool = pools.get(key);
      if (pool == null || pool.failed()) {
        SendPool made = new SendPool(vertx, loop, domain, length);
        pool = made.grow().map(made);
        pools.put(key, pool);
      }
      return pool;
    }
  }
}
