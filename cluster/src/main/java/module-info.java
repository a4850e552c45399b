// SPDX-License-Identifier: Apache-2.0
/**
 * Servers that make themselves known in a cluster of Vert.x, and keep replies together.
 */
module dev.rpcrdma.cluster {
  requires transitive dev.rpcrdma.api;
  requires io.vertx.core.logging;
  requires static io.vertx.healthcheck;

  exports dev.rpcrdma.cluster;
  exports dev.rpcrdma.cluster.replicated;

  provides dev.rpcrdma.api.spi.ServerDiscovery with dev.rpcrdma.cluster.impl.config.ClusterDiscovery;
}
