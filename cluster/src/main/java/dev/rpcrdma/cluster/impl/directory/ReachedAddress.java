// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.cluster.impl.directory;

import dev.rpcrdma.cluster.AdvertisementOptions;
import dev.rpcrdma.verbs.vertx.VertxParts;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.spi.cluster.NodeInfo;
import java.util.Set;

/** Where others reach a server. */
final class ReachedAddress {

  /** As an address may say that it is that of no host, or of all. */
  private static final Set<String> WILDCARDS = Set.of("0.0.0.0", "::", "0:0:0:0:0:0:0:0", "");

  private ReachedAddress() {}

  /**
   * Finds it out.
   *
   * @throws IllegalStateException if nobody says by which host, with what to do about it
   */
  static SocketAddress of(Vertx vertx, AdvertisementOptions options, SocketAddress listens) {
    int port = options.port() == 0 ? listens.port() : options.port();
    if (!options.host().isBlank()) {
      return SocketAddress.inetSocketAddress(port, options.host());
    }
    if (isCertain(listens.host())) {
      return SocketAddress.inetSocketAddress(port, listens.host());
    }
    NodeInfo node = VertxParts.clusterManager(vertx) == null ? null : VertxParts.clusterManager(vertx).getNodeInfo();
    if (node != null && isCertain(node.host())) {
      return SocketAddress.inetSocketAddress(port, node.host());
    }
    throw new IllegalStateException("The server listens on " + listens + ", and so does the event bus of its node"
        + ", if it has one: say by which host others reach it, with AdvertisementOptions.withHost");
  }

  private static boolean isCertain(String host) {
    return host != null && !WILDCARDS.contains(host);
  }
}
