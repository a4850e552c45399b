// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.cluster.impl.directory;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** A map in memory, which fails, does not answer, or loses what is put, as it is told. It keeps no times. */
final class FakeMap implements ClusterMap {

  enum Mood { WORKS, FAILS, HANGS, LOSES }

  final Map<String, Object> entries = new ConcurrentHashMap<>();
  /** All that was to be put, whatever became of it. */
  final BlockingQueue<ServerEntry> puts = new LinkedBlockingQueue<>();
  final AtomicInteger readings = new AtomicInteger();
  volatile Mood mood = Mood.WORKS;

  @Override
  public Future<Void> put(String instance, String entry, long ttlMillis) {
    puts.add(EntryText.read(instance, entry));
    return answer(() -> {
      if (mood == Mood.WORKS) {
        entries.put(instance, entry);
      }
      return null;
    });
  }

  @Override
  public Future<Void> remove(String instance) {
    return answer(() -> {
      entries.remove(instance);
      return null;
    });
  }

  @Override
  public Future<Map<String, Object>> entries() {
    readings.incrementAndGet();
    return answer(() -> Map.copyOf(entries));
  }

  private <T> Future<T> answer(Supplier<T> what) {
    return switch (mood) {
      case FAILS -> Future.failedFuture("the map fails, on purpose");
      case HANGS -> Promise.<T>promise().future();
      case WORKS, LOSES -> Future.succeededFuture(what.get());
    };
  }
}
