// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.cluster.impl.directory;

import dev.rpcrdma.api.resolver.ProgramAddress;
import io.vertx.core.spi.endpoint.EndpointBuilder;
import java.util.List;

/**
 * The servers of one program, as the directory knows them when somebody asks. Thread-safe.
 *
 * @param <E> the endpoint that core makes of them
 */
final class ProgramServers<E> {

  /** What an endpoint was made of. */
  private record Built<E>(Listing listing, List<ListedServer> servers, E endpoint) {}

  private final ProgramAddress address;
  private final EndpointBuilder<E, ListedServer> builder;
  private final Directory directory;
  /** Set while guarded by this; null at first. */
  private volatile Built<E> built;

  ProgramServers(ProgramAddress address, EndpointBuilder<E, ListedServer> builder, Directory directory) {
    this.address = address;
    this.builder = builder;
    this.directory = directory;
  }

  E endpoint() {
    return built().endpoint();
  }

  /** Whether there are servers; if not, that may have changed. */
  boolean isValid() {
    return directory.listing() != null && !built().servers().isEmpty();
  }

  private Built<E> built() {
    Built<E> known = built;
    return known != null && known.listing() == directory.listing() ? known : build();
  }

  private synchronized Built<E> build() {
    Listing now = directory.listing();
    List<ListedServer> servers = now.callable(address.program(), address.version());
    // Only if they are others: load balancers forget what they know of those before.
    E endpoint = built != null && built.servers().equals(servers) ? built.endpoint() : endpoint(servers);
    built = new Built<>(now, servers, endpoint);
    return built;
  }

  private E endpoint(List<ListedServer> servers) {
    EndpointBuilder<E, ListedServer> next = builder;
    for (ListedServer server : servers) {
      next = next.addServer(server, server.key());
    }
    return next.build();
  }
}
