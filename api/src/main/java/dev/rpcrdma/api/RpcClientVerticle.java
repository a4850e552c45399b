package dev.rpcrdma.api;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.net.SocketAddress;
import java.util.Objects;
import java.util.function.Function;

/**
 * A verticle that owns a client and one channel, and with it the event loop of the channel's
 * connections. Undeploying it drains and closes them.
 *
 * <pre>{@code
 * vertx.deployVerticle(new RpcClientVerticle(new RpcClientOptions(), address, channel -> {
 *   channel.bind(BlobEvents.class, info -> Future.succeededFuture());
 *   return channel.proxy(BlobStore.class).list("");
 * }));
 * }</pre>
 */
public class RpcClientVerticle extends VerticleBase {

  private final RpcClientOptions options;
  private final SocketAddress address;
  private final Function<RpcChannel, Future<?>> use;
  private RpcClient client;
  private RpcChannel channel;

  /**
   * Creates an instance.
   *
   * @param options what the client wants
   * @param address where the server listens
   * @param use gets the channel, not connected yet, on the verticle's context; deployment completes
   *     or fails with the future that it returns
   */
  public RpcClientVerticle(RpcClientOptions options, SocketAddress address,
      Function<RpcChannel, Future<?>> use) {
    this.options = new RpcClientOptions(options);
    this.address = Objects.requireNonNull(address, "address");
    this.use = Objects.requireNonNull(use, "use");
  }

  @Override
  public Future<?> start() {
    client = RpcClient.builder(vertx).with(options).build();
    channel = client.channel(address);
    return use.apply(channel);
  }

  @Override
  public Future<?> stop() {
    return client.close();
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
