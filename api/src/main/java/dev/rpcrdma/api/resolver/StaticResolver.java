// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.resolver;

import dev.rpcrdma.api.impl.resolver.ServersJson;
import dev.rpcrdma.api.impl.resolver.StaticEndpoints;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.AddressResolver;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.spi.endpoint.EndpointResolver;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Servers that are written down, by the names of services. They keep their order, and are known to load balancers by
 * their addresses, so that consistent hashing gives the same server in each process.
 *
 * <pre>{@code
 * StaticResolver resolver = StaticResolver.of(new JsonObject("""
 *     { "orders": ["10.0.0.7:20049", "10.0.0.8:20049"] }"""));
 * RpcChannel orders = RpcClient.builder(vertx).withAddressResolver(resolver).build().channel(ServiceName.of("orders"));
 * }</pre>
 *
 * <p>A name that is not among them has no servers. Immutable, and good for any number of clients.
 */
public final class StaticResolver implements AddressResolver<ServiceName> {

  private final Map<String, List<SocketAddress>> services;

  private StaticResolver(Map<String, List<SocketAddress>> services) {
    this.services = services;
  }

  /**
   * A resolver of some services.
   *
   * @param services servers by the name of their service; copied
   * @return the resolver
   */
  public static StaticResolver of(Map<String, List<SocketAddress>> services) {
    Map<String, List<SocketAddress>> copy = new LinkedHashMap<>();
    services.forEach((name, servers) -> copy.put(ServiceName.of(name).name(), List.copyOf(servers)));
    return new StaticResolver(copy);
  }

  /**
   * A resolver of services from JSON.
   *
   * @param json by the name of a service an array of its servers, each a text {@code "host:port"}, with an IPv6
   *     address in brackets, or an object with {@code host} and {@code port}
   * @return the resolver
   * @throws IllegalArgumentException if it is something else; says what is allowed
   */
  public static StaticResolver of(JsonObject json) {
    return of(ServersJson.read(json));
  }

  /**
   * The names of all services.
   *
   * @return servers by the name of their service, unmodifiable
   */
  public Map<String, List<SocketAddress>> services() {
    return Map.copyOf(services);
  }

  @Override
  public EndpointResolver<ServiceName, ?, ?, ?> endpointResolver(Vertx vertx) {
    return new StaticEndpoints<>(services);
  }
}
