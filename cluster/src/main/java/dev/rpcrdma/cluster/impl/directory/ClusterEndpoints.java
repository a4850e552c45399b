// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.cluster.impl.directory;

import dev.rpcrdma.api.resolver.ProgramAddress;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.net.Address;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.spi.endpoint.EndpointBuilder;
import io.vertx.core.spi.endpoint.EndpointResolver;

/**
 * Servers that a cluster knows, by what they serve.
 *
 * @param <E> the endpoint that core makes of them
 */
public final class ClusterEndpoints<E> implements EndpointResolver<ProgramAddress, ListedServer, ProgramServers<E>, E> {

  private final Directory directory;
  private final boolean own;

  /**
   * Those that a client asks for.
   *
   * @param own whether the directory is closed with it
   */
  public ClusterEndpoints(Directory directory, boolean own) {
    this.directory = directory;
    this.own = own;
  }

  @Override
  public ProgramAddress tryCast(Address address) {
    return address instanceof ProgramAddress program ? program : null;
  }

  @Override
  public SocketAddress addressOf(ListedServer server) {
    return SocketAddress.inetSocketAddress(server.port(), server.host());
  }

  /** Reads the map if nobody is known to serve the program. */
  @Override
  public Future<ProgramServers<E>> resolve(ProgramAddress address, EndpointBuilder<E, ListedServer> builder) {
    ProgramServers<E> servers = new ProgramServers<>(address, builder, directory);
    Promise<ProgramServers<E>> promise = Promise.promise();
    if (servers.isValid()) {
      promise.complete(servers);
    } else {
      directory.read().onComplete((read, failure) -> {
        if (directory.listing() == null) {
          promise.fail(failure);
        } else {
          promise.complete(servers);
        }
      });
    }
    return promise.future();
  }

  @Override
  public E endpoint(ProgramServers<E> state) {
    return state.endpoint();
  }

  @Override
  public boolean isValid(ProgramServers<E> state) {
    return state.isValid();
  }

  @Override
  public void dispose(ProgramServers<E> state) {
    // It holds nothing.
  }

  @Override
  public void close() {
    if (own) {
      directory.close();
    }
  }
}
