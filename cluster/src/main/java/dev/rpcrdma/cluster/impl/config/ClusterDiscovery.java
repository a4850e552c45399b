// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.cluster.impl.config;

import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.resolver.ProgramAddress;
import dev.rpcrdma.api.spi.ServerDiscovery;
import dev.rpcrdma.cluster.AdvertisementOptions;
import dev.rpcrdma.cluster.ClusterAdvertisement;
import dev.rpcrdma.cluster.ClusterResolver;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.util.Optional;
import java.util.function.Function;

/** Servers that make themselves known in a cluster, by the key {@code cluster} of verticles. */
public final class ClusterDiscovery implements ServerDiscovery {

  @Override
  public String key() {
    return "cluster";
  }

  @Override
  public Target find(JsonObject json, Optional<ProgramAddress> program) {
    ClusterResolver resolver = ClusterResolver.create(ClusterConfig.directory(json));
    return new Target(ClusterConfig.program(json, program), resolver);
  }

  @Override
  public Function<RpcServer, Future<?>> advertise(Vertx vertx, JsonObject json) {
    AdvertisementOptions options = AdvertisementOptions.of(json);
    return server -> ClusterAdvertisement.publish(vertx, server, options);
  }
}
