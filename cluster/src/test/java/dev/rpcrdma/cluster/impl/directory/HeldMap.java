// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.cluster.impl.directory;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** A map that answers when the test wants; removals are answered at once. */
final class HeldMap implements ClusterMap {

  final BlockingQueue<Promise<Void>> puts = new LinkedBlockingQueue<>();
  /** Entries that were put, in their order. */
  final Queue<ServerEntry> entries = new ConcurrentLinkedQueue<>();
  final BlockingQueue<Promise<Map<String, Object>>> readings = new LinkedBlockingQueue<>();
  volatile Future<Void> removal = Future.succeededFuture();

  @Override
  public Future<Void> put(String instance, String entry, long ttlMillis) {
    entries.add(EntryText.read(instance, entry));
    Promise<Void> promise = Promise.promise();
    puts.add(promise);
    return promise.future();
  }

  @Override
  public Future<Void> remove(String instance) {
    return removal;
  }

  @Override
  public Future<Map<String, Object>> entries() {
    Promise<Map<String, Object>> promise = Promise.promise();
    readings.add(promise);
    return promise.future();
  }
}
