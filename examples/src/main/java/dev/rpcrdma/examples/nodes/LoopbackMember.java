// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nodes;

import com.hazelcast.config.Config;
import dev.rpcrdma.tools.command.MemberConfig;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.EventBusOptions;
import io.vertx.spi.cluster.hazelcast.HazelcastClusterManager;
import java.util.List;

/**
 * A member of a Hazelcast cluster on 127.0.0.1 alone.
 *
 * @param vertx the node
 * @param port where other members find it
 */
public record LoopbackMember(Vertx vertx, int port) {

  private static final String HOST = "127.0.0.1";

  /**
   * Joins a cluster.
   *
   * @param cluster its name
   * @param other the port of a member; 0 for the first one
   * @return a node of it
   */
  public static Future<LoopbackMember> join(String cluster, int other) {
    HazelcastClusterManager manager = new HazelcastClusterManager(config(cluster, other));
    return Vertx.builder()
        .with(new VertxOptions().setEventBusOptions(new EventBusOptions().setHost(HOST)))
        .withClusterManager(manager).buildClustered()
        .map(vertx -> new LoopbackMember(vertx,
            manager.getHazelcastInstance().getCluster().getLocalMember().getAddress().getPort()));
  }

  private static Config config(String cluster, int other) {
    return MemberConfig.of(cluster, HOST, other == 0 ? List.of() : List.of(HOST + ":" + other))
        .setProperty("hazelcast.heartbeat.interval.seconds", "1")
        .setProperty("hazelcast.max.no.heartbeat.seconds", "5");
  }
}
