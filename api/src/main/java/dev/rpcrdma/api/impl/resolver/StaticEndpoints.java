// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.resolver;

import dev.rpcrdma.api.impl.endpoint.ServerPlace;
import dev.rpcrdma.api.resolver.ServiceName;
import io.vertx.core.Future;
import io.vertx.core.net.Address;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.spi.endpoint.EndpointBuilder;
import io.vertx.core.spi.endpoint.EndpointResolver;
import java.util.List;
import java.util.Map;

/**
 * Servers that never change.
 *
 * @param <E> the endpoint that core makes of them
 */
public final class StaticEndpoints<E> implements EndpointResolver<ServiceName, SocketAddress, E, E> {

  private final Map<String, List<SocketAddress>> services;

  /** Those of some services, by name. */
  public StaticEndpoints(Map<String, List<SocketAddress>> services) {
    this.services = services;
  }

  @Override
  public ServiceName tryCast(Address address) {
    return address instanceof ServiceName name ? name : null;
  }

  @Override
  public SocketAddress addressOf(SocketAddress server) {
    return server;
  }

  @Override
  public Future<E> resolve(ServiceName name, EndpointBuilder<E, SocketAddress> builder) {
    return Future.succeededFuture(ServerKeys.build(builder,
        services.getOrDefault(name.name(), List.of()).stream().map(ServerPlace::of).toList()));
  }

  @Override
  public E endpoint(E state) {
    return state;
  }

  @Override
  public boolean isValid(E state) {
    return true;
  }

  @Override
  public void dispose(E state) {
    // It holds nothing.
  }

  @Override
  public void close() {
    // It holds nothing.
  }
}
