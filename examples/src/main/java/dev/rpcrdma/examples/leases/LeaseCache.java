// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.leases;

import dev.rpcrdma.api.RpcChannel;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A client: keeps what it has got until its lease is over, or the server recalls it. On one context. */
final class LeaseCache implements LeaseEvents {

  private record Held(String value, long until) {}

  private final Shelf shelf;
  private final Map<String, Held> held = new HashMap<>();
  /** Recalls so far, by key: what was asked for before one is not kept. */
  private final Map<String, Integer> recalls = new HashMap<>();
  private int asked;

  LeaseCache(RpcChannel channel) {
    channel.bind(LeaseEvents.class, this);
    shelf = channel.proxy(Shelf.class);
  }

  /** The value of a key, without a call as long as it is held. */
  Future<String> get(String key) {
    Held known = held.get(key);
    long now = System.nanoTime();
    if (known != null && known.until - now > 0) {
      return Future.succeededFuture(known.value);
    }
    asked++;
    int before = recalls.getOrDefault(key, 0);
    return shelf.get(key).map(leased -> {
      if (recalls.getOrDefault(key, 0) == before) {
        held.put(key, new Held(leased.value(), now + TimeUnit.MILLISECONDS.toNanos(leased.leaseMillis())));
      }
      return leased.value();
    });
  }

  Future<Void> put(String key, String value) {
    return shelf.put(key, value);
  }

  @Override
  public Future<Void> recall(String key) {
    held.remove(key);
    recalls.merge(key, 1, Integer::sum);
    return Future.succeededFuture();
  }

  /** How many values were asked for, rather than held. */
  int asked() {
    return asked;
  }
}
