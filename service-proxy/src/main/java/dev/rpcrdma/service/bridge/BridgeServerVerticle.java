// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.bridge;

import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcServerOptions;
import io.vertx.core.Future;

/**
 * A verticle that is the end of bridges that listens, and takes all from its configuration, so that it can be deployed
 * by name. It delivers what comes, and forwards to each connection that has come.
 *
 * <pre>{@code
 * {
 *   "host": "0.0.0.0",
 *   "port": 20049,
 *   "options": { "limits": { "forwardCredits": 128 } },
 *   "bridge": { "delivered": [ { "address": "orders", "actions": [ "place", "list" ] } ] }
 * }
 * }</pre>
 *
 * <p>{@code options} are those of {@link RpcServerOptions}, and need not be there; unless they say otherwise the inline
 * size is 16 KiB. {@code bridge} is as {@link BridgeOptions#BridgeOptions(io.vertx.core.json.JsonObject)} reads it.
 * With {@code cluster} it makes itself known, as {@link dev.rpcrdma.api.RpcServerVerticle} does.
 */
public class BridgeServerVerticle extends BridgeVerticle {

  private RpcServer server;

  /** Creates an instance that takes all from its configuration. */
  public BridgeServerVerticle() {}

  @Override
  public Future<?> start() {
    BridgeConfig config = BridgeConfig.ofServer(config());
    // What is wrong with the rest of the configuration is thrown when the bridge is open already.
    return Future.succeededFuture(config).compose(this::listen)
        .recover(e -> close().transform(closed -> Future.failedFuture(e)));
  }

  private Future<RpcServer> listen(BridgeConfig config) {
    EventBusBridge bridge = open(config.bridge());
    server = createServer(new RpcServerOptions(config.options())).bind(bridge.service());
    if (!config.bridge().getForwarded().isEmpty()) {
      server.connectionHandler(this::forward);
    }
    return config.ends().listen(vertx, server);
  }

  /** Forwards to a connection; after a failure, such as of a registration in the cluster, once more each second. */
  private void forward(RpcConnection connection) {
    bridge().forwardTo(connection).onFailure(cause -> {
      if (!connection.closeFuture().isComplete()) {
        vertx.setTimer(1_000, timer -> forward(connection));
      }
    });
  }

  /**
   * Makes the server; whoever wants interceptors, tokens or statistics makes it otherwise.
   *
   * @param wanted its options
   * @return by default a server with these options, and nothing else
   */
  protected RpcServer createServer(RpcServerOptions wanted) {
    return RpcServer.create(vertx, wanted);
  }

  @Override
  public Future<?> stop() {
    return close();
  }

  private Future<?> close() {
    Future<?> ended = server == null ? Future.succeededFuture() : server.close();
    return bridge() == null ? ended : ended.eventually(() -> bridge().close());
  }

  /**
   * The server.
   *
   * @return known once deployed
   */
  public RpcServer server() {
    return server;
  }
}
