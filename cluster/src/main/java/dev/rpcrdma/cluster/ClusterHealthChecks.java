// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.cluster;

import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.healthchecks.Status;

/** A procedure for Vert.x's health checks; needs {@code io.vertx:vertx-health-check}. */
@SuppressWarnings("exports") // Health checks are optional: only who has them can name this class
public final class ClusterHealthChecks {

  private ClusterHealthChecks() {}

  /**
   * Whether it is known which servers a cluster has.
   *
   * @param directory what to look at
   * @return a procedure that says KO if what is known is {@linkplain ClusterDirectory#isFresh not fresh}; calls go on
   *     with it meanwhile
   */
  public static Handler<Promise<Status>> directory(ClusterDirectory directory) {
    return promise -> {
      JsonObject data = new JsonObject().put("servers", directory.servers().size());
      directory.age().ifPresent(age -> data.put("ageMillis", age.toMillis()));
      promise.complete(directory.isFresh() ? Status.OK(data)
          : Status.KO(data.put("failure", "The cluster's servers have not been read for too long")));
    };
  }
}
