// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.bridge;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.MessageConsumer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Consumers at the addresses of objects that services behind a bridge have given to callers, until they are not used
 * for a while, or are gone. A bounded number of them. Safe for all threads.
 */
final class ObjectConsumers {

  private static final int MOST = 10_000;

  private static final class Entry {

    private final MessageConsumer<Object> consumer;
    private long used;

    Entry(MessageConsumer<Object> consumer, long used) {
      this.consumer = consumer;
      this.used = used;
    }
  }

  private final Vertx vertx;
  private final Duration idle;
  private final Function<String, MessageConsumer<Object>> register;
  /** By address; those that were used last are last. Guarded by this, as all below. */
  private final Map<String, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);
  private long timer = -1;
  private boolean closed;

  ObjectConsumers(Vertx vertx, Duration idle, Function<String, MessageConsumer<Object>> register) {
    this.vertx = vertx;
    this.idle = idle;
    this.register = register;
  }

  /** Registers at an address; completes when the cluster knows. */
  synchronized Future<Void> add(String address) {
    if (closed) {
      return Future.failedFuture(BusFailures.error("The bridge is closed"));
    }
    Entry known = entries.get(address);
    if (known == null) {
      if (entries.size() >= MOST) {
        forget(entries.keySet().iterator().next());
      }
      known = new Entry(register.apply(address), System.nanoTime());
      entries.put(address, known);
      if (timer < 0) {
        timer = vertx.setPeriodic(Math.max(1, idle.toMillis() / 4), tick -> expire(System.nanoTime()));
      }
    }
    return known.consumer.completion();
  }

  /** An object is called. */
  synchronized void used(String address) {
    Entry entry = entries.get(address);
    if (entry != null) {
      entry.used = System.nanoTime();
    }
  }

  /** An object is gone. */
  synchronized void forget(String address) {
    Entry entry = entries.remove(address);
    if (entry != null) {
      entry.consumer.unregister();
      stopIfEmpty();
    }
  }

  private synchronized void expire(long now) {
    Iterator<Entry> oldest = entries.values().iterator();
    while (oldest.hasNext()) {
      Entry entry = oldest.next();
      if (now - entry.used < idle.toNanos()) {
        break;
      }
      oldest.remove();
      entry.consumer.unregister();
    }
    stopIfEmpty();
  }

  private void stopIfEmpty() {
    if (entries.isEmpty() && timer >= 0) {
      vertx.cancelTimer(timer);
      timer = -1;
    }
  }

  synchronized Future<Void> close() {
    closed = true;
    List<Future<Void>> ending = new ArrayList<>();
    entries.values().forEach(entry -> ending.add(entry.consumer.unregister()));
    entries.clear();
    stopIfEmpty();
    return Future.join(ending).mapEmpty();
  }
}
