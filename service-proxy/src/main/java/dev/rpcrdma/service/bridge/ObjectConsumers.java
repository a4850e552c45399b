// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.bridge;

import dev.rpcrdma.service.impl.PeerShares;
import dev.rpcrdma.verbs.vertx.Contexts;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.MessageConsumer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * Consumers that stand for objects of the peer's services, until an object is idle for too long or gone. This class
 * chooses the address of each consumer: the peer's name of an object is never an address of this event bus. The number
 * of consumers is bounded, and no consumer goes for another one. Safe for all threads.
 */
final class ObjectConsumers {

  private static final class Entry {

    private final MessageConsumer<Object> consumer;
    private long used;

    Entry(MessageConsumer<Object> consumer, long used) {
      this.consumer = consumer;
      this.used = used;
    }
  }

  /** Context of the timer, which belongs to no verticle. */
  private final Context own;
  private final Duration idle;
  /** Numbers of objects of all peers. */
  private final PeerShares shares;
  /** Registers a consumer at an address of this event bus, given that address and the peer's. */
  private final BiFunction<String, String, MessageConsumer<Object>> register;
  /** By this event bus's address; those that were used last are last. Guarded by this, as all below. */
  private final Map<String, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);
  /** Whether a timer runs. */
  private boolean watching;
  private boolean closed;

  ObjectConsumers(Vertx vertx, Duration idle, PeerShares shares,
      BiFunction<String, String, MessageConsumer<Object>> register) {
    this.shares = shares;
    this.own = Contexts.newEventLoop(vertx);
    this.idle = idle;
    this.register = register;
  }

  /**
   * Registers a consumer for an object of the peer.
   *
   * @param remote the object's address at the peer
   * @return the new address of this event bus, when the cluster knows it
   */
  synchronized Future<String> add(String remote) {
    if (closed) {
      return Future.failedFuture(BusFailures.error("The bridge is closed"));
    }
    if (!shares.add(this)) {
      return Future.failedFuture(BusFailures.tooManyObjects(shares.number(this)));
    }
    String local = ObjectAddress.random();
    Entry entry = new Entry(register.apply(local, remote), System.nanoTime());
    entries.put(local, entry);
    watch();
    return entry.consumer.completion().map(local).onFailure(e -> forget(local));
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
      unregister(entry);
    }
  }

  private Future<Void> unregister(Entry entry) {
    shares.remove(this);
    return entry.consumer.unregister();
  }

  /** Sets the timer that looks for idle objects, unless it runs. Its context outlives each verticle. */
  private void watch() {
    if (!watching) {
      watching = true;
      Contexts.setTimer(own, Math.max(1, idle.toMillis() / 4), timer -> expire(System.nanoTime()));
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
      unregister(entry);
    }
    watching = false;
    if (!entries.isEmpty()) {
      watch();
    }
  }

  synchronized Future<Void> close() {
    closed = true;
    List<Future<Void>> ending = new ArrayList<>();
    entries.values().forEach(entry -> ending.add(unregister(entry)));
    entries.clear();
    return Future.join(ending).mapEmpty();
  }
}
