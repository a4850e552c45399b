package dev.rpcrdma.api;

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
 */
public class RpcServerVerticle extends VerticleBase {

  private final RpcServerOptions options;
  private final SocketAddress address;
  private final Consumer<RpcServer> configuration;
  private RpcServer server;

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
    server = RpcServer.builder(vertx).with(options).build();
    configuration.accept(server);
    return server.listen(address);
  }

  @Override
  public Future<?> stop() {
    return server.close();
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
