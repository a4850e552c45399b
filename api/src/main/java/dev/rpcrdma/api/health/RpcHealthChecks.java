// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.health;

import dev.rpcrdma.api.ChannelSnapshot;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.ServerSnapshot;
import dev.rpcrdma.verbs.base.Causes;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.healthchecks.Status;

/**
 * Procedures for Vert.x's health checks.
 *
 * <pre>{@code
 * HealthChecks checks = HealthChecks.create(vertx)
 *     .register("blobs", RpcHealthChecks.channel(channel))
 *     .register("server", RpcHealthChecks.server(server));
 * }</pre>
 */
@SuppressWarnings("exports") // Health checks are optional: only who has them can name this class
public final class RpcHealthChecks {

  private RpcHealthChecks() {}

  /**
   * Whether the server of a channel can be reached: the channel connects if it has no connection.
   *
   * @param channel what to look at
   * @return a procedure that says KO if it has no connection and gets none, with the reason
   */
  public static Handler<Promise<Status>> channel(RpcChannel channel) {
    return promise -> channel.connect().transform(connected -> channel.snapshot().map(snapshot ->
            connected.succeeded() ? Status.OK(data(snapshot))
                : Status.KO(data(snapshot).put("failure", Causes.message(connected.cause())))))
        .otherwise(e -> Status.KO(new JsonObject().put("failure", Causes.message(e)))).onComplete(promise);
  }

  private static JsonObject data(ChannelSnapshot snapshot) {
    return new JsonObject().put("address", snapshot.address().toString()).put("connected", snapshot.connected())
        .put("sinceMillis", snapshot.since().toMillis()).put("callsPending", snapshot.callsPending())
        .put("callsWaiting", snapshot.callsWaiting());
  }

  /**
   * Whether a server listens.
   *
   * @param server what to look at
   * @return a procedure that says KO if it does not
   */
  public static Handler<Promise<Status>> server(RpcServer server) {
    return promise -> server.snapshot().map(snapshot -> snapshot.address().isPresent() ? Status.OK(data(snapshot))
            : Status.KO(data(snapshot).put("failure", "The server does not listen")))
        .otherwise(e -> Status.KO(new JsonObject().put("failure", Causes.message(e)))).onComplete(promise);
  }

  private static JsonObject data(ServerSnapshot snapshot) {
    JsonObject data = new JsonObject().put("connections", snapshot.connections().size())
        .put("accepted", snapshot.accepted()).put("rejected", snapshot.rejected())
        .put("clients", snapshot.clients().size())
        .put("callsWaiting", snapshot.pendingReplies().callsWaiting());
    snapshot.address().ifPresent(address -> data.put("address", address.toString()));
    return data;
  }
}
