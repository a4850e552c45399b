// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processes;

import com.hazelcast.config.Config;
import dev.rpcrdma.cluster.replicated.ReplicatedRepliesOptions;
import dev.rpcrdma.testkit.cluster.LoopbackHazelcast;
import io.vertx.core.Vertx;
import io.vertx.spi.cluster.hazelcast.HazelcastClusterManager;
import java.util.List;

/** A process as a member of the cluster, configured as docs/failover.md says. */
record TallyMember(HazelcastClusterManager manager, Vertx vertx) {

  static final int SERVERS = 3;
  static final int CLIENTS = 2;
  /** After so many seconds without a sign of life a member is held to be dead. */
  static final int DEAD_SECONDS = 5;

  private static final int BACKUP_MILLIS = 1000;

  /**
   * Joins.
   *
   * @param others where members are; empty for the first one
   * @param lite for a member that keeps nothing for others
   */
  static TallyMember join(String cluster, List<String> others, boolean lite) {
    Config config = LoopbackHazelcast.config(cluster, others).setLiteMember(lite)
        .setProperty("hazelcast.logging.type", "jdk")
        .setProperty("hazelcast.heartbeat.interval.seconds", "1")
        .setProperty("hazelcast.max.no.heartbeat.seconds", Integer.toString(DEAD_SECONDS))
        .setProperty("hazelcast.merge.first.run.delay.seconds", "5")
        .setProperty("hazelcast.merge.next.run.delay.seconds", "5");
    LoopbackHazelcast.keepReplies(config, ReplicatedRepliesOptions.DEFAULT_MAP_NAME, SERVERS / 2 + 1, BACKUP_MILLIS);
    LoopbackHazelcast.Node joined = LoopbackHazelcast.joinKeeping(config);
    return new TallyMember(joined.manager(), joined.vertx());
  }

  /** All members are there, and all copies of what this one has are where they have to be. */
  boolean isCalm() {
    return manager.getHazelcastInstance().getCluster().getMembers().size() == SERVERS + CLIENTS
        && manager.getHazelcastInstance().getPartitionService().isLocalMemberSafe();
  }
}
