package dev.rpcrdma.api;

import com.hazelcast.config.Config;
import com.hazelcast.config.MultiMapConfig;
import com.hazelcast.config.NetworkConfig;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.EventBusOptions;
import io.vertx.spi.cluster.hazelcast.HazelcastClusterManager;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Nodes of a cluster of its own, on loopback. */
final class ClusterNodes implements AutoCloseable {

  /** One of them. */
  record Node(HazelcastClusterManager manager, Vertx vertx) {

    int port() {
      return manager.getHazelcastInstance().getCluster().getLocalMember().getAddress().getPort();
    }

    /** As if its host was gone, as far as the cluster can see. */
    void kill() {
      manager.getHazelcastInstance().getLifecycleService().terminate();
    }
  }

  private final String name = UUID.randomUUID().toString();
  private final List<Node> nodes = new ArrayList<>();

  Node start() {
    List<String> others = nodes.stream().filter(node -> node.manager().isActive())
        .map(node -> RpcBed.HOST + ":" + node.port()).toList();
    HazelcastClusterManager manager = new HazelcastClusterManager(config(others));
    Vertx vertx = Waiting.await(Vertx.builder()
        .with(new VertxOptions().setEventBusOptions(new EventBusOptions().setHost(RpcBed.HOST)))
        .withClusterManager(manager).buildClustered());
    Node node = new Node(manager, vertx);
    nodes.add(node);
    return node;
  }

  private Config config(List<String> others) {
    Config config = new Config().setClusterName(name);
    config.setProperty("hazelcast.socket.bind.any", "false").setProperty("hazelcast.phone.home.enabled", "false")
        .setProperty("hazelcast.shutdownhook.enabled", "false").setProperty("hazelcast.logging.type", "none")
        .setProperty("hazelcast.wait.seconds.before.join", "0").setProperty("hazelcast.partition.count", "11");
    NetworkConfig network = config.getNetworkConfig().setPort(0);
    network.getInterfaces().setEnabled(true).addInterface(RpcBed.HOST);
    network.getJoin().getAutoDetectionConfig().setEnabled(false);
    network.getJoin().getMulticastConfig().setEnabled(false);
    network.getJoin().getTcpIpConfig().setEnabled(true).setMembers(others);
    config.getMultiMapConfig("__vertx.subs").setBackupCount(1)
        .setValueCollectionType(MultiMapConfig.ValueCollectionType.SET);
    return config;
  }

  @Override
  public void close() {
    Waiting.await(Future.join(nodes.stream().map(node -> node.vertx().close()).toList())
        .transform(done -> Future.succeededFuture()));
  }
}
