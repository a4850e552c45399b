// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.bridge;

import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.impl.verticle.ServersConfig;
import dev.rpcrdma.api.resolver.ProgramAddress;
import io.vertx.core.Future;
import java.util.Optional;

/**
 * A verticle that is the end of a bridge that connects, and takes all from its configuration, so that it can be
 * deployed by name. It forwards over its channel, and delivers what the other end sends over it.
 *
 * <pre>{@code
 * {
 *   "host": "10.0.0.7",
 *   "port": 20049,
 *   "options": { "reconnect": { "reconnectTimeout": "PT10S" } },
 *   "bridge": { "forwarded": [ { "address": "orders" } ] }
 * }
 * }</pre>
 *
 * <p>{@code options} are those of {@link RpcClientOptions}, and need not be there; unless they say otherwise the inline
 * size is 16 KiB. {@code bridge} is as {@link BridgeOptions#BridgeOptions(io.vertx.core.json.JsonObject)} reads it. The
 * other end need not be there yet: messages fail until it is. Several other ends are named as for {@link
 * dev.rpcrdma.api.RpcClientVerticle}; in a cluster those of all bridges, as {@code "cluster": {}} does.
 */
public class BridgeClientVerticle extends BridgeVerticle {

  /** Between attempts to make the first connection. */
  private static final long RETRY_MILLIS = 1_000;

  /** What other ends serve. */
  private static final ProgramAddress PROGRAM =
      ProgramAddress.of(BridgeProgram.BINDING.program(), BridgeProgram.BINDING.version());

  private boolean stopped;
  private RpcClient client;
  private RpcChannel channel;

  /** Creates an instance that takes all from its configuration. */
  public BridgeClientVerticle() {}

  @Override
  public Future<?> start() {
    BridgeConfig config = BridgeConfig.ofClient(config());
    // What is wrong with the rest of the configuration is thrown when the bridge is open already.
    return Future.succeededFuture(config).compose(this::forward)
        .recover(e -> close().transform(closed -> Future.failedFuture(e)));
  }

  private Future<Void> forward(BridgeConfig config) {
    EventBusBridge bridge = open(config.bridge());
    ServersConfig servers = config.ends().servers(Optional.of(PROGRAM));
    client = createClient(
        servers.prepare(RpcClient.builder(vertx).with(new RpcClientOptions(config.options()))));
    channel = client.channel(servers.address());
    if (!config.bridge().getDelivered().isEmpty()) {
      channel.bind(bridge.service());
      connect();
    }
    return bridge.forward(channel);
  }

  /** Has a connection, over which the other end can send. Once there was one, the channel keeps one by itself. */
  private void connect() {
    channel.connect().onFailure(cause -> {
      if (!stopped) {
        vertx.setTimer(RETRY_MILLIS, timer -> connect());
      }
    });
  }

  /**
   * Makes the client; whoever wants interceptors, a token or statistics adds them.
   *
   * @param prepared has its options, and finds the servers that the configuration names
   * @return by default what this builds, with nothing else
   */
  protected RpcClient createClient(RpcClient.RpcClientBuilder prepared) {
    return prepared.build();
  }

  @Override
  public Future<?> stop() {
    return close();
  }

  private Future<?> close() {
    stopped = true;
    Future<?> unregistered = bridge() == null ? Future.succeededFuture() : bridge().close();
    return client == null ? unregistered : unregistered.eventually(() -> client.close());
  }

  /**
   * The channel.
   *
   * @return known once deployed
   */
  public RpcChannel channel() {
    return channel;
  }
}
