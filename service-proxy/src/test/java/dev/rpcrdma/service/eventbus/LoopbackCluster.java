package dev.rpcrdma.service.eventbus;

import com.hazelcast.config.Config;
import com.hazelcast.config.MultiMapConfig;
import com.hazelcast.config.NetworkConfig;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.EventBusOptions;
import io.vertx.spi.cluster.hazelcast.HazelcastClusterManager;
import java.util.List;
import java.util.UUID;

/** A cluster on loopback that nobody else joins. */
final class LoopbackCluster {

  private final String name = UUID.randomUUID().toString();
  private List<String> members = List.of();

  /** One node more. */
  Vertx join() {
    HazelcastClusterManager manager = manager(members);
    Vertx vertx = node(manager);
    if (members.isEmpty()) {
      members = List.of("127.0.0.1:"
          + manager.getHazelcastInstance().getCluster().getLocalMember().getAddress().getPort());
    }
    return vertx;
  }

  private HazelcastClusterManager manager(List<String> others) {
    Config config = new Config().setClusterName(name);
    config.setProperty("hazelcast.socket.bind.any", "false").setProperty("hazelcast.phone.home.enabled", "false")
        .setProperty("hazelcast.shutdownhook.enabled", "false").setProperty("hazelcast.logging.type", "none")
        .setProperty("hazelcast.wait.seconds.before.join", "0");
    NetworkConfig network = config.getNetworkConfig().setPort(0);
    network.getInterfaces().setEnabled(true).addInterface("127.0.0.1");
    network.getJoin().getAutoDetectionConfig().setEnabled(false);
    network.getJoin().getMulticastConfig().setEnabled(false);
    network.getJoin().getTcpIpConfig().setEnabled(true).setMembers(others);
    config.getMultiMapConfig("__vertx.subs").setBackupCount(1)
        .setValueCollectionType(MultiMapConfig.ValueCollectionType.SET);
    return new HazelcastClusterManager(config);
  }

  private static Vertx node(HazelcastClusterManager manager) {
    return Waiting.await(Vertx.builder()
        .with(new VertxOptions().setEventBusOptions(new EventBusOptions().setHost("127.0.0.1")))
        .withClusterManager(manager).buildClustered());
  }
}
