// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.cluster.impl.directory;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.shareddata.AsyncMap;
import java.util.concurrent.RejectedExecutionException;

/** Gets maps of clusters. */
public final class MapsOfClusters {

  private MapsOfClusters() {}

  /**
   * Gets a map on a worker: cluster managers may block the thread that asks, and throw when they have left the cluster.
   *
   * @param worker a worker context that belongs to no verticle
   * @param name the map's name
   * @return the map, or the failure, on no context: a verticle that asks may end before the cluster answers
   */
  public static <V> Future<AsyncMap<String, V>> get(Context worker, String name) {
    Promise<AsyncMap<String, V>> promise = Promise.promise();
    try {
      worker.runOnContext(go -> {
        try {
          worker.owner().sharedData().<String, V>getAsyncMap(name).onComplete(promise);
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
