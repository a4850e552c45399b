package dev.rpcrdma.examples.nodes;

import com.hazelcast.config.Config;
import com.hazelcast.config.NetworkConfig;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.EventBusOptions;
import io.vertx.spi.cluster.hazelcast.ConfigUtil;
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
    // Of the process: what it logs first is older than its configuration.
    System.setProperty("hazelcast.logging.type", "none");
    HazelcastClusterManager manager = new HazelcastClusterManager(config(cluster, other));
    return Vertx.builder()
        .with(new VertxOptions().setEventBusOptions(new EventBusOptions().setHost(HOST)))
        .withClusterManager(manager).buildClustered()
        .map(vertx -> new LoopbackMember(vertx,
            manager.getHazelcastInstance().getCluster().getLocalMember().getAddress().getPort()));
  }

  private static Config config(String cluster, int other) {
    Config config = ConfigUtil.loadConfig().setClusterName(cluster)
        .setProperty("hazelcast.phone.home.enabled", "false")
        .setProperty("hazelcast.shutdownhook.enabled", "false")
        .setProperty("hazelcast.socket.bind.any", "false")
        .setProperty("hazelcast.wait.seconds.before.join", "0")
        .setProperty("hazelcast.heartbeat.interval.seconds", "1")
        .setProperty("hazelcast.max.no.heartbeat.seconds", "5");
    config.getMetricsConfig().setEnabled(false);
    NetworkConfig network = config.getNetworkConfig().setPort(0);
    network.getInterfaces().setEnabled(true).addInterface(HOST);
    network.getJoin().getAutoDetectionConfig().setEnabled(false);
    network.getJoin().getMulticastConfig().setEnabled(false);
    network.getJoin().getTcpIpConfig().setEnabled(true)
        .setMembers(other == 0 ? List.of() : List.of(HOST + ":" + other));
    return config;
  }
}
