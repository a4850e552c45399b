package dev.rpcrdma.service.bridge;

import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;

/**
 * A verticle that is the end of a bridge that connects, and takes all from its configuration, so that it can be
 * deployed by name. It forwards over its channel, and delivers what the other end sends over it.
 *
 * <pre>{@code
 * {
 *   "host": "10.0.0.7",
 *   "port": 20049,
 *   "options": { "reconnectTimeout": "PT10S" },
 *   "bridge": { "forwarded": [ { "address": "orders" } ] }
 * }
 * }</pre>
 *
 * <p>{@code options} are those of {@link RpcClientOptions}, and need not be there; unless they say otherwise the inline
 * size is 16 KiB. {@code bridge} is as {@link BridgeOptions#BridgeOptions(io.vertx.core.json.JsonObject)} reads it. The
 * other end need not be there yet: messages fail until it is.
 */
public class BridgeClientVerticle extends VerticleBase {

  /** Between attempts to make the first connection. */
  private static final long RETRY_MILLIS = 1_000;

  private boolean stopped;
  private EventBusBridge bridge;
  private RpcClient client;

  /** Creates an instance that takes all from its configuration. */
  public BridgeClientVerticle() {}

  @Override
  public Future<?> start() {
    BridgeConfig config = BridgeConfig.of(config());
    bridge = createBridge(config.bridge());
    client = createClient(new RpcClientOptions(config.options()));
    RpcChannel channel = client.channel(config.address());
    if (!config.bridge().getDelivered().isEmpty()) {
      channel.bind(bridge.service());
      connect(channel);
    }
    return bridge.forward(channel);
  }

  /** Has a connection, over which the other end can send. Once there was one, the channel keeps one by itself. */
  private void connect(RpcChannel channel) {
    channel.connect().onFailure(cause -> {
      if (!stopped) {
        vertx.setTimer(RETRY_MILLIS, timer -> connect(channel));
      }
    });
  }

  /**
   * Makes the bridge; whoever wants codecs makes it otherwise.
   *
   * @param wanted its options
   * @return by default a bridge with these options, and nothing else
   */
  protected EventBusBridge createBridge(BridgeOptions wanted) {
    return EventBusBridge.create(vertx, wanted);
  }

  /**
   * Makes the client; whoever wants interceptors, tokens or statistics makes it otherwise.
   *
   * @param wanted its options
   * @return by default a client with these options, and nothing else
   */
  protected RpcClient createClient(RpcClientOptions wanted) {
    return RpcClient.create(vertx, wanted);
  }

  @Override
  public Future<?> stop() {
    stopped = true;
    return bridge == null ? Future.succeededFuture() : bridge.close().eventually(() -> client.close());
  }
}
