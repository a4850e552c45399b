package dev.rpcrdma.api;

import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.testkit.cluster.LoopbackHazelcast;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.spi.cluster.hazelcast.HazelcastClusterManager;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Nodes of a cluster of its own, on loopback. */
final class ClusterNodes implements AutoCloseable {

  /** One of them. */
  record Node(HazelcastClusterManager manager, Vertx vertx) {

    /** As if its host was gone, as far as the cluster can see. */
    void kill() {
      manager.getHazelcastInstance().getLifecycleService().terminate();
    }
  }

  private final String name = UUID.randomUUID().toString();
  private final List<Node> nodes = new ArrayList<>();

  Node start() {
    List<String> others = nodes.stream().filter(node -> node.manager().isActive())
        .map(node -> LoopbackHazelcast.member(node.manager())).toList();
    HazelcastClusterManager manager = new HazelcastClusterManager(
        LoopbackHazelcast.config(name, others).setProperty("hazelcast.partition.count", "11"));
    Node node = new Node(manager, LoopbackHazelcast.join(manager));
    nodes.add(node);
    return node;
  }

  @Override
  public void close() {
    Waiting.await(Future.join(nodes.stream().map(node -> node.vertx().close()).toList())
        .transform(done -> Future.succeededFuture()));
  }
}
