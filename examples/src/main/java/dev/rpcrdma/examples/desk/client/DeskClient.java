// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.desk.client;

import dev.rpcrdma.api.CallInterceptor;
import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcConnectionLostException;
import dev.rpcrdma.examples.desk.Desk;
import dev.rpcrdma.examples.desk.DeskEvents;
import dev.rpcrdma.examples.desk.DeskProcedures;
import dev.rpcrdma.examples.desk.DeskV2;
import dev.rpcrdma.examples.desk.NewOrder;
import dev.rpcrdma.examples.desk.Order;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.SocketAddress;
import java.util.Set;
import java.util.UUID;

/**
 * A client of the desk. Its configuration:
 *
 * <pre>{@code
 * {
 *   "host": "desk.example",
 *   "port": 20049,
 *   "options": { "tls": { … } },
 *   "tenant": "blue",
 *   "token": "a secret of bob's"
 * }
 * }</pre>
 *
 * <p>Without a token its user is known by its certificate.
 */
public final class DeskClient {

  private final RpcClient client;
  private final RpcChannel channel;
  private final DeskClientListener listener;
  /** Symbols that the desk was asked to tell of; null as long as it was asked for nothing, not even for fills. */
  private volatile Set<String> watched;

  /**
   * Creates a client, which is not connected yet.
   *
   * @param vertx the instance it lives in
   * @param config see above
   * @param listener hears what the desk tells
   */
  public DeskClient(Vertx vertx, JsonObject config, DeskClientListener listener) {
    this.listener = listener;
    String tenant = config.getString("tenant");
    RpcClient.RpcClientBuilder builder = RpcClient.builder(vertx)
        .with(new RpcClientOptions(config.getJsonObject("options", new JsonObject())))
        .addCallInterceptor(CallInterceptor.options((request, options) ->
            options.withHeader(DeskProcedures.TENANT, tenant)));
    if (config.containsKey("token")) {
      builder.withToken(() -> Future.succeededFuture(config.getString("token")));
    }
    client = builder.build();
    channel = client.channel(SocketAddress.inetSocketAddress(config.getInteger("port"), config.getString("host")));
    channel.bind(DeskEvents.class, listener);
    channel.upHandler(this::up);
    channel.downHandler(cause -> listener.online(false));
  }

  /** The desk may have been started again, and know nothing of this client. */
  private void up(RpcConnection connection) {
    listener.online(true);
    Set<String> wanted = watched;
    if (wanted != null) {
      connection.proxy(Desk.class).subscribe(wanted).onFailure(listener::failed);
    }
  }

  /**
   * Has the desk tell of the quotes of some symbols, and of fills, from now on and whenever it was started again.
   *
   * @param symbols takes the place of those before
   * @return completes when the desk knows
   */
  public Future<Void> watch(Set<String> symbols) {
    Set<String> wanted = Set.copyOf(symbols);
    return desk().subscribe(wanted).onSuccess(subscribed -> watched = wanted);
  }

  /**
   * The desk, version 1.
   *
   * @return a proxy that outlives connections
   */
  public Desk desk() {
    return channel.proxy(Desk.class);
  }

  /**
   * The desk, version 2.
   *
   * @return a proxy that outlives connections
   */
  public DeskV2 deskV2() {
    return channel.proxy(DeskV2.class);
  }

  /**
   * Places an order, once. If the desk was started again meanwhile, nobody can know whether the order was placed; it
   * has an id of its own, so the desk knows when it is placed again.
   *
   * @param order what is wanted
   * @return the order as it is then
   */
  public Future<Order> place(NewOrder order) {
    return desk().place(order).recover(failure ->
        failure instanceof RpcConnectionLostException lost && lost.forgotten()
            ? desk().place(order) : Future.failedFuture(failure));
  }

  /**
   * Waits until an order is done.
   *
   * @param id the order's
   * @param options for how long, and what can give it up
   * @return the order as it is then, done or not
   */
  public Future<Order> waitForFill(UUID id, CallOptions options) {
    return channel.proxy(Desk.class, options).waitForFill(id);
  }

  /**
   * Ends the client.
   *
   * @return completes when its connection has ended
   */
  public Future<Void> close() {
    return client.close();
  }
}
