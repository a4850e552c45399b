// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.leases;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcCaller;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * The server: before a value changes, whoever holds it is asked to give it up. One that does not answer has it until
 * its lease is over, and no longer, so the change waits for that at most. On one context.
 */
final class LeasingShelf implements Shelf {

  private final Vertx vertx;
  private final Duration lease;
  private final Map<String, String> values = new HashMap<>();
  /** When leases of a key are over, by holder, as times of {@link System#nanoTime}. */
  private final Map<String, Map<RpcCaller, Long>> holders = new HashMap<>();
  /** The last change of each key; the next one, and all that ask meanwhile, wait for it. */
  private final Map<String, Future<Void>> changes = new HashMap<>();

  LeasingShelf(Vertx vertx, Duration lease) {
    this.vertx = vertx;
    this.lease = lease;
  }

  @Override
  public Future<Leased> get(String key) {
    RpcCaller holder = RpcCall.current().peer();
    return unchanging(key).map(settled -> {
      holders.computeIfAbsent(key, made -> new HashMap<>()).put(holder, System.nanoTime() + lease.toNanos());
      return new Leased(values.getOrDefault(key, ""), lease.toMillis());
    });
  }

  @Override
  public Future<Void> put(String key, String value) {
    Future<Void> change = unchanging(key).compose(settled -> recallAll(key)).onSuccess(free -> values.put(key, value));
    changes.put(key, change);
    return change.onComplete(done -> changes.remove(key, change));
  }

  private Future<Void> unchanging(String key) {
    return changes.getOrDefault(key, Future.succeededFuture()).otherwiseEmpty();
  }

  private Future<Void> recallAll(String key) {
    Map<RpcCaller, Long> leases = holders.getOrDefault(key, Map.of());
    holders.remove(key);
    return Future.join(leases.entrySet().stream().map(each -> recall(key, each.getKey(), each.getValue())).toList())
        .mapEmpty();
  }

  private Future<Void> recall(String key, RpcCaller holder, long until) {
    long millis = Duration.ofNanos(until - System.nanoTime()).toMillis() + 1;
    if (millis <= 1) {
      return Future.succeededFuture();
    }
    CallOptions options = CallOptions.DEFAULT.withTimeout(Duration.ofMillis(millis));
    return holder.proxy(LeaseEvents.class, options).recall(key).recover(silent -> expiry(until));
  }

  /** When a holder that does not answer has given up its value by itself. */
  private Future<Void> expiry(long until) {
    return vertx.timer(Math.max(1, Duration.ofNanos(until - System.nanoTime()).toMillis() + 1)).mapEmpty();
  }
}
