// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.cluster.impl.directory;

import dev.rpcrdma.verbs.vertx.Contexts;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.shareddata.AsyncMap;
import java.util.Map;
import java.util.function.Function;

/** The map by core's shared data: of the cluster, or of the Vert.x instance if it is in none. Asked for each time. */
final class SharedDataMap implements ClusterMap {

  private final Context worker;
  private final String name;

  SharedDataMap(Vertx vertx, String name) {
    this.worker = Contexts.newWorker(vertx);
    this.name = name;
  }

  @Override
  public Future<Void> put(String instance, String entry, long ttlMillis) {
    return ask(map -> map.put(instance, entry, ttlMillis));
  }

  @Override
  public Future<Void> remove(String instance) {
    return ask(map -> map.remove(instance).mapEmpty());
  }

  @Override
  public Future<Map<String, Object>> entries() {
    return ask(AsyncMap::entries);
  }

  private <T> Future<T> ask(Function<AsyncMap<String, Object>, Future<T>> question) {
    return MapsOfClusters.<Object>get(worker, name).compose(question);
  }
}
