// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

import dev.rpcrdma.api.impl.verticle.VerticleConfig;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.net.SocketAddress;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * A verticle that owns a server, and with it the event loop of the connections that it accepts.
 * Deployed n times it gives n event loops behind one address; undeploying it drains and closes its
 * connections and leaves the others served.
 *
 * <pre>{@code
 * vertx.deployVerticle(() -> new RpcServerVerticle(new RpcServerOptions(), address,
 *     server -> server.bind(BlobStore.class, new BlobStoreImpl())),
 *     new DeploymentOptions().setInstances(4));
 * }</pre>
 *
 * <p>Made without arguments it takes all from its configuration, so that it can be deployed by name, as by the
 * application launcher:
 *
 * <pre>{@code
 * {
 *   "host": "0.0.0.0",
 *   "port": 20049,
 *   "options": { "limits": { "forwardCredits": 128 } },
 *   "services": [ { "interface": "com.example.BlobStore", "implementation": "com.example.BlobStoreImpl" } ],
 *   "cluster": { "host": "blobs-1.example.com", "ttl": "PT5S" }
 * }
 * }</pre>
 *
 * <p>{@code services} names annotated interfaces and classes that implement them, each made by its public constructor
 * with a {@link io.vertx.core.Vertx} or without arguments, once for each instance of the verticle. {@code cluster}
 * needs {@code vertx-rpcrdma-cluster} on the class path: each instance makes itself known to the nodes of a cluster;
 * none of its keys need be there. Modules may bring other keys ({@link dev.rpcrdma.api.spi.ServerDiscovery}).
 */
public class RpcServerVerticle extends VerticleBase {

  private final RpcServerOptions options;
  private final SocketAddress address;
  private final Consumer<RpcServer> configuration;
  private RpcServer server;

  /** Creates an instance that takes all from its configuration. */
  public RpcServerVerticle() {
    this.options = null;
    this.address = null;
    this.configuration = null;
  }

  /**
   * Creates an instance.
   *
   * @param options what the server wants
   * @param address where it listens; not port 0 if several instances shall share it
   * @param configuration binds services; called on the verticle's context before listening
   */
  public RpcServerVerticle(RpcServerOptions options, SocketAddress address,
      Consumer<RpcServer> configuration) {
    this.options = new RpcServerOptions(options);
    this.address = Objects.requireNonNull(address, "address");
    this.configuration = Objects.requireNonNull(configuration, "configuration");
  }

  @Override
  public Future<?> start() {
    if (configuration != null) {
      server = createServer(options);
      configuration.accept(server);
      return server.listen(address);
    }
    VerticleConfig config = VerticleConfig.ofServer(config(), "services");
    server = createServer(new RpcServerOptions(config.options()));
    config.services("services", vertx).forEach(service -> service.bindTo(server));
    return config.listen(vertx, server);
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
    return server == null ? Future.succeededFuture() : server.close();
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
