// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.resolver;

import dev.rpcrdma.api.impl.endpoint.ServerPlace;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.spi.endpoint.EndpointBuilder;
import java.util.List;

/** How load balancers know servers: by names that are the same in each process. */
final class ServerKeys {

  private ServerKeys() {}

  /** Builds an endpoint of servers, in their order. */
  static <E> E build(EndpointBuilder<E, SocketAddress> builder, List<ServerPlace> servers) {
    EndpointBuilder<E, SocketAddress> next = builder;
    for (ServerPlace server : servers) {
      next = next.addServer(server.address(), server.toString());
    }
    return next.build();
  }
}
