// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.server;

import dev.rpcrdma.api.RpcServerOptions;
import io.vertx.core.net.SocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The connections of a server, in all and by address, against their limits. On the server's loop. */
final class ConnectionLoad {

  private final RpcServerOptions options;
  private final Map<String, Integer> byHost = new HashMap<>();
  private int all;

  ConnectionLoad(RpcServerOptions options) {
    this.options = options;
  }

  /**
   * Which limit one more connection would go beyond.
   *
   * @param replaced connections that end when the new one is accepted
   * @return for people; empty if none
   */
  Optional<String> limit(SocketAddress address, int replaced) {
    if (all - replaced >= options.getMaxConnections()) {
      return Optional.of("there are " + all + " connections (maxConnections)");
    }
    int fromHost = byHost.getOrDefault(host(address), 0);
    if (fromHost - replaced >= options.getMaxConnectionsPerHost()) {
      return Optional.of("there are " + fromHost + " connections from there (maxConnectionsPerHost)");
    }
    return Optional.empty();
  }

  void begins(SocketAddress address) {
    all++;
    byHost.merge(host(address), 1, Integer::sum);
  }

  void ends(SocketAddress address) {
    all--;
    byHost.computeIfPresent(host(address), (host, count) -> count == 1 ? null : count - 1);
  }

  private static String host(SocketAddress address) {
    return String.valueOf(address.hostAddress());
  }
}
