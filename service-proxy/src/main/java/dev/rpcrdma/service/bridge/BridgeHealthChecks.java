// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.bridge;

import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.health.RpcHealthChecks;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.healthchecks.Status;

/**
 * Procedures for Vert.x's health checks of bridges: those of {@link RpcHealthChecks}, with what went on in the bridge
 * under the key {@code bridge}.
 *
 * <pre>{@code
 * HealthChecks.create(vertx).register("bridge", BridgeHealthChecks.channel(bridge, channel));
 * }</pre>
 */
@SuppressWarnings("exports") // Health checks are optional: only who has them can name this class
public final class BridgeHealthChecks {

  private BridgeHealthChecks() {}

  /**
   * Whether the other end of a bridge can be reached.
   *
   * @param bridge the end that connects
   * @param channel which it forwards over; it connects if it has no connection
   * @return a procedure that says KO if it has no connection and gets none, with the reason
   */
  public static Handler<Promise<Status>> channel(EventBusBridge bridge, RpcChannel channel) {
    return with(bridge, RpcHealthChecks.channel(channel));
  }

  /**
   * Whether other ends of a bridge can come.
   *
   * @param bridge the end that listens
   * @param server which it is bound on
   * @return a procedure that says KO if the server does not listen
   */
  public static Handler<Promise<Status>> server(EventBusBridge bridge, RpcServer server) {
    return with(bridge, RpcHealthChecks.server(server));
  }

  private static Handler<Promise<Status>> with(EventBusBridge bridge, Handler<Promise<Status>> check) {
    return promise -> {
      Promise<Status> checked = Promise.promise();
      check.handle(checked);
      checked.future().map(status -> {
        JsonObject data = status.getData().copy().put("bridge", bridge.snapshot().toJson());
        return status.isOk() ? Status.OK(data) : Status.KO(data);
      }).onComplete(promise);
    };
  }
}
