// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.endpoint;

import io.vertx.core.net.SocketAddress;
import io.vertx.core.net.endpoint.Endpoint;
import io.vertx.core.net.endpoint.LoadBalancer;
import io.vertx.core.net.endpoint.ServerEndpoint;
import io.vertx.core.net.endpoint.ServerSelector;
import io.vertx.core.spi.endpoint.EndpointBuilder;
import io.vertx.core.spi.endpoint.EndpointResolver;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The servers of an address, among which a load balancer chooses. */
final class ServerList {

  private final LoadBalancer balancer;
  private final List<ServerEndpoint> servers;
  /** Guarded by this; null until somebody chooses. */
  private ServerSelector selector;

  private ServerList(LoadBalancer balancer, List<ServerEndpoint> servers) {
    this.balancer = balancer;
    this.servers = List.copyOf(servers);
  }

  List<ServerEndpoint> servers() {
    return servers;
  }

  Set<String> protocols() {
    return servers.stream().map(ServerEndpoint::protocolId).filter(Objects::nonNull).collect(Collectors.toSet());
  }

  /**
   * The balancer's choice.
   *
   * @param filter which servers there are; a choice from other than all of them knows nothing of earlier ones
   * @param key by which the balancer may choose; null if there is none
   * @return null if there is no such server
   */
  ServerEndpoint select(Predicate<ServerEndpoint> filter, String key) {
    if (filter == Endpoint.DEFAULT_VIEW) {
      return select(servers, selector(), key);
    }
    List<ServerEndpoint> some = servers.stream().filter(filter).toList();
    return select(some, balancer.selector(some), key);
  }

  private synchronized ServerSelector selector() {
    if (selector == null) {
      selector = balancer.selector(servers);
    }
    return selector;
  }

  private static ServerEndpoint select(List<ServerEndpoint> from, ServerSelector selector, String key) {
    int index = key == null ? selector.select() : selector.select(key);
    return index >= 0 && index < from.size() ? from.get(index) : null;
  }

  @Override
  public String toString() {
    return servers.toString();
  }

  /**
   * Makes lists; can be kept, to begin another one.
   *
   * @param <S> the resolver's servers
   */
  static final class Builder<S> implements EndpointBuilder<ServerList, S> {

    private final EndpointResolver<?, S, ?, ?> resolver;
    private final LoadBalancer balancer;
    private final Runnable used;

    /**
     * Begins with no server.
     *
     * @param used called when a server is
     */
    Builder(EndpointResolver<?, S, ?, ?> resolver, LoadBalancer balancer, Runnable used) {
      this.resolver = resolver;
      this.balancer = balancer;
      this.used = used;
    }

    @Override
    public EndpointBuilder<ServerList, S> addServer(S server, String key) {
      return new Begun().addServer(server, key);
    }

    @Override
    public ServerList build() {
      return new ServerList(balancer, List.of());
    }

    private final class Begun implements EndpointBuilder<ServerList, S> {

      private final List<ServerEndpoint> servers = new ArrayList<>();

      @Override
      public EndpointBuilder<ServerList, S> addServer(S server, String key) {
        SocketAddress address = Objects.requireNonNull(resolver.addressOf(server),
            "The address resolver has a server without an address");
        servers.add(new BalancedServer(server, key, address, resolver.protocolOf(server),
            balancer.newMetrics(), used));
        return this;
      }

      @Override
      public ServerList build() {
        return new ServerList(balancer, servers);
      }
    }
  }
}
