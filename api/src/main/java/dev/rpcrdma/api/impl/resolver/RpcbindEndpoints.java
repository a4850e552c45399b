package dev.rpcrdma.api.impl.resolver;

import dev.rpcrdma.api.impl.resolver.DnsServers.Answer;
import dev.rpcrdma.api.rpcbind.Rpcbind;
import dev.rpcrdma.api.rpcbind.RpcbindAddress;
import dev.rpcrdma.api.rpcbind.RpcbindOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.net.Address;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.spi.endpoint.EndpointBuilder;
import io.vertx.core.spi.endpoint.EndpointResolver;
import java.time.Duration;
import java.util.List;

/**
 * The one server that an rpcbind knows of an address.
 *
 * @param <E> the endpoint that core makes of it
 */
public final class RpcbindEndpoints<E> implements EndpointResolver<RpcbindAddress, SocketAddress, DnsServers<E>, E> {

  private static final Duration LIFE = Duration.ofSeconds(30);

  private final Vertx vertx;

  /** Those that a client asks for. */
  public RpcbindEndpoints(Vertx vertx) {
    this.vertx = vertx;
  }

  @Override
  public RpcbindAddress tryCast(Address address) {
    return address instanceof RpcbindAddress known ? known : null;
  }

  @Override
  public SocketAddress addressOf(SocketAddress server) {
    return server;
  }

  @Override
  public Future<DnsServers<E>> resolve(RpcbindAddress address, EndpointBuilder<E, SocketAddress> builder) {
    // It belongs to no context, so that later look-ups have their answer at once.
    Promise<DnsServers<E>> promise = Promise.promise();
    query(address).map(first -> new DnsServers<>("rpcbind", address.toString(), builder, () -> query(address), first))
        .onComplete(promise);
    return promise.future();
  }

  private Future<Answer> query(RpcbindAddress address) {
    return Rpcbind.of(vertx, address.rpcbind(), RpcbindOptions.DEFAULT).locate(address.program(), address.version())
        .map(server -> new Answer(List.of(server), LIFE));
  }

  @Override
  public E endpoint(DnsServers<E> state) {
    return state.endpoint();
  }

  @Override
  public boolean isValid(DnsServers<E> state) {
    return state.isValid();
  }

  @Override
  public void dispose(DnsServers<E> state) {
    state.dispose();
  }

  @Override
  public void close() {
    // It holds nothing.
  }
}
