// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.cluster;

import com.hazelcast.config.Config;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.testkit.cluster.CutNetwork;
import dev.rpcrdma.testkit.cluster.LoopbackHazelcast;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.spi.cluster.hazelcast.HazelcastClusterManager;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Nodes of a cluster of its own, on loopback. */
final class ClusterNodes implements AutoCloseable {

  /**
   * One of them.
   *
   * @param host null without a network that can be cut
   */
  record Node(HazelcastClusterManager manager, Vertx vertx, CutNetwork.Host host) {

    /** How many members it sees, itself too. */
    int members() {
      return manager.getHazelcastInstance().getCluster().getMembers().size();
    }

    /** As if its host was gone, as far as the cluster can see. */
    void kill() {
      manager.getHazelcastInstance().getLifecycleService().terminate();
    }
  }

  private final String name = UUID.randomUUID().toString();
  private final List<Node> nodes = new ArrayList<>();
  /** Null if it is not to be cut. */
  private final CutNetwork network;

  ClusterNodes() {
    this(null);
  }

  ClusterNodes(CutNetwork network) {
    this.network = network;
  }

  /** A node that knows those before. */
  Node start() {
    return start(nodes);
  }

  /** A node that looks for some others alone. */
  Node start(List<Node> known) {
    List<String> others = known.stream().filter(node -> node.manager().isActive())
        .map(node -> LoopbackHazelcast.member(node.manager())).toList();
    Config config = LoopbackHazelcast.config(name, others).setProperty("hazelcast.partition.count", "11");
    CutNetwork.Host host = network == null ? null : network.host();
    HazelcastClusterManager manager = new HazelcastClusterManager(host == null ? config : host.place(config));
    Node node = new Node(manager,
        host == null ? LoopbackHazelcast.join(manager) : LoopbackHazelcast.join(manager, host.eventBus()), host);
    nodes.add(node);
    return node;
  }

  /** Each sees so many members, and all backups are where they have to be. */
  void joined(int count) {
    Waiting.until(() -> nodes.stream().filter(node -> node.manager().isActive())
        .allMatch(node -> node.members() == count
            && node.manager().getHazelcastInstance().getPartitionService().isClusterSafe()));
  }

  @Override
  public void close() {
    nodes.forEach(node -> LoopbackHazelcast.terminate(node.manager()));
    Waiting.await(Future.join(nodes.stream().map(node -> node.vertx().close()).toList())
        .transform(done -> Future.succeededFuture()));
  }
}
