// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.cluster;

import dev.rpcrdma.verbs.vertx.Contexts;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.shareddata.AsyncMap;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;

/**
 * The map by core's shared data: of the cluster, or of the Vert.x instance if it is in none. It is asked for on a
 * worker, and anew each time: cluster managers may block in that, and throw when they are gone.
 */
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
    // It belongs to no context: those of verticles may end before it is answered.
    Promise<T> promise = Promise.promise();
    try {
      worker.runOnContext(go -> {
        try {
          worker.owner().sharedData().<String, Object>getAsyncMap(name).compose(question).onComplete(promise);
        } catch (Throwable e) {
          promise.tryFail(e);
        }
      });
    } catch (RejectedExecutionException e) {
      promise.tryFail(e);
    }
    return promise.future();
  }
}
