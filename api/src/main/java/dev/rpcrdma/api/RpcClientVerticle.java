// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

import dev.rpcrdma.api.impl.verticle.ServersConfig;
import dev.rpcrdma.api.impl.verticle.VerticleConfig;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.net.Address;
import java.util.Objects;
import java.util.Optional;
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
 *
 * <p>Made without arguments, as by the application launcher, it takes all from its configuration; a class of the
 * application's that extends it does its work in {@link #use}.
 *
 * <pre>{@code
 * {
 *   "host": "10.0.0.7",
 *   "port": 20049,
 *   "options": { "timeouts": { "callTimeout": 5000 } },
 *   "callbacks": [ { "interface": "com.example.BlobEvents", "implementation": "com.example.Watcher" } ]
 * }
 * }</pre>
 *
 * <p>{@code callbacks} names what is served to the server in the reverse direction, as {@code services} does for
 * {@link RpcServerVerticle}. Deployment then waits for the first connection.
 *
 * <p>In place of {@code host} and {@code port} there may be several servers: those that are written down, or that DNS
 * ({@link dev.rpcrdma.api.resolver}) or a {@link dev.rpcrdma.api.spi.ServerDiscovery} knows, each with a {@code
 * loadBalancer}. {@code cluster} needs {@code vertx-rpcrdma-cluster} on the class path.
 *
 * <pre>{@code
 * { "servers": [ "10.0.0.7:20049", "10.0.0.8:20049" ], "loadBalancer": "least_requests" }
 * { "dns": { "srv": "_blobs._tcp.example.com" } }
 * { "cluster": { "interface": "com.example.BlobStore" } }
 * }</pre>
 */
public class RpcClientVerticle extends VerticleBase {

  private final RpcClientOptions options;
  private final Address address;
  private final Function<RpcChannel, Future<?>> use;
  private RpcClient client;
  private RpcChannel channel;

  /** Creates an instance that takes all from its configuration. */
  public RpcClientVerticle() {
    this.options = null;
    this.address = null;
    this.use = null;
  }

  /**
   * Creates an instance.
   *
   * @param options what the client wants
   * @param address where the server listens, or what the client of {@link #createClient} resolves
   * @param use gets the channel, not connected yet, on the verticle's context; deployment completes
   *     or fails with the future that it returns
   */
  public RpcClientVerticle(RpcClientOptions options, Address address,
      Function<RpcChannel, Future<?>> use) {
    this.options = new RpcClientOptions(options);
    this.address = Objects.requireNonNull(address, "address");
    this.use = Objects.requireNonNull(use, "use");
  }

  @Override
  public Future<?> start() {
    if (use != null) {
      open(RpcClient.builder(vertx).with(options), address);
      return use.apply(channel);
    }
    VerticleConfig config = VerticleConfig.ofClient(config(), "callbacks");
    ServersConfig servers = config.servers(Optional.empty());
    open(servers.prepare(RpcClient.builder(vertx).with(new RpcClientOptions(config.options()))), servers.address());
    config.services("callbacks", vertx).forEach(service -> service.bindTo(channel));
    return use(channel);
  }

  private void open(RpcClient.RpcClientBuilder prepared, Address where) {
    client = createClient(prepared);
    channel = client.channel(where);
  }

  /**
   * What an instance does that takes all from its configuration: by default it connects. Deployment completes or fails
   * with the future that this returns.
   *
   * @param channel to the server, with what it is to call back bound already
   * @return by default the first connection
   */
  protected Future<?> use(RpcChannel channel) {
    return channel.connect();
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
    return client == null ? Future.succeededFuture() : client.close();
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
