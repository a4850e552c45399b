// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.eventbus;

import dev.rpcrdma.testkit.cluster.LoopbackHazelcast;
import io.vertx.core.Vertx;
import io.vertx.spi.cluster.hazelcast.HazelcastClusterManager;
import java.util.List;
import java.util.UUID;

/** A cluster on loopback that nobody else joins. */
final class LoopbackCluster {

  private final String name = UUID.randomUUID().toString();
  private List<String> members = List.of();

  /** One node more. */
  Vertx join() {
    HazelcastClusterManager manager = new HazelcastClusterManager(LoopbackHazelcast.config(name, members));
    Vertx vertx = LoopbackHazelcast.join(manager);
    if (members.isEmpty()) {
      members = List.of(LoopbackHazelcast.member(manager));
    }
    return vertx;
  }
}
