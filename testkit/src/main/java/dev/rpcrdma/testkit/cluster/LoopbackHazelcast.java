// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit.cluster;

import com.hazelcast.cluster.Address;
import com.hazelcast.config.Config;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.config.MapConfig;
import com.hazelcast.config.MultiMapConfig;
import com.hazelcast.config.NetworkConfig;
import com.hazelcast.config.SplitBrainProtectionConfig;
import com.hazelcast.core.HazelcastException;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.LifecycleEvent;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.EventBusOptions;
import io.vertx.spi.cluster.hazelcast.HazelcastClusterManager;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Nodes of clusters that stay on loopback, and that nobody joins who does not know them. */
@SuppressWarnings("exports") // who uses it has Hazelcast
public final class LoopbackHazelcast {

  private static final int ATTEMPTS = 10;

  private static final String HOST = "127.0.0.1";

  private LoopbackHazelcast() {}

  /**
   * Changes a configuration: its member listens on loopback alone, looks for the members that it is told alone, and
   * reports to nobody.
   *
   * @param config what to change
   * @param cluster the cluster's name
   * @param others members, as {@link #member} tells them; none for the first one
   * @return the same configuration
   */
  public static Config confine(Config config, String cluster, List<String> others) {
    config.setClusterName(cluster)
        .setProperty("hazelcast.socket.bind.any", "false").setProperty("hazelcast.phone.home.enabled", "false")
        .setProperty("hazelcast.shutdownhook.enabled", "false").setProperty("hazelcast.logging.type", "none")
        .setProperty("hazelcast.wait.seconds.before.join", "0");
    NetworkConfig network = config.getNetworkConfig().setPort(0);
    network.getInterfaces().setEnabled(true).addInterface(HOST);
    JoinConfig join = network.getJoin();
    join.getAutoDetectionConfig().setEnabled(false);
    join.getMulticastConfig().setEnabled(false);
    join.getTcpIpConfig().setEnabled(true).setMembers(others);
    return config;
  }

  /**
   * A configuration with all that Vert.x needs of one.
   *
   * @param cluster the cluster's name
   * @param others as in {@link #confine}
   * @return a new configuration
   */
  public static Config config(String cluster, List<String> others) {
    Config config = confine(new Config(), cluster, others);
    keepSubscriptions(config);
    return config;
  }

  /**
   * Adds what Vert.x needs for its event bus to a configuration that is not its own.
   *
   * @param config what to change
   */
  public static void keepSubscriptions(Config config) {
    config.getMultiMapConfig("__vertx.subs").setBackupCount(1)
        .setValueCollectionType(MultiMapConfig.ValueCollectionType.SET);
  }

  /**
   * Joins, with an event bus on loopback.
   *
   * @param manager of the node
   * @return the node
   */
  public static Vertx join(HazelcastClusterManager manager) {
    return join(manager, new EventBusOptions().setHost(HOST));
  }

  /**
   * Joins.
   *
   * @param manager of the node
   * @param eventBus of the node
   * @return the node
   */
  public static Vertx join(HazelcastClusterManager manager, EventBusOptions eventBus) {
    return Waiting.await(Vertx.builder().with(new VertxOptions().setEventBusOptions(eventBus))
        .withClusterManager(manager).buildClustered());
  }

  /**
   * A node that has joined.
   *
   * @param manager of the node
   * @param vertx the node
   */
  public record Node(HazelcastClusterManager manager, Vertx vertx) {}

  /**
   * Joins as {@link #joinKeeping(Config, EventBusOptions)} does, with an event bus on loopback.
   *
   * @param config of the node
   * @return the node
   */
  public static Node joinKeeping(Config config) {
    return joinKeeping(config, new EventBusOptions().setHost(HOST));
  }

  /**
   * Joins with a configuration by {@link #keepReplies}, which makes joining fail if an entry of Vert.x's own has no
   * backup in time, as any operation does: then once more.
   *
   * @param config of the node
   * @param eventBus of the node
   * @return the node
   */
  public static Node joinKeeping(Config config, EventBusOptions eventBus) {
    for (int attempt = 1; ; attempt++) {
      HazelcastClusterManager manager = new HazelcastClusterManager(config);
      try {
        return new Node(manager, join(manager, eventBus));
      } catch (HazelcastException e) {
        if (manager.getHazelcastInstance() != null) {
          terminate(manager);
        }
        if (attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  /**
   * By what others find a member.
   *
   * @param manager has joined
   * @return host and port
   */
  public static String member(HazelcastClusterManager manager) {
    Address address = manager.getHazelcastInstance().getCluster().getLocalMember().getAddress();
    return address.getHost() + ":" + address.getPort();
  }

  /**
   * Ends a member without a word, which takes no time: one that leaves in good order first moves what it has to
   * others, and in a test's end those leave as well.
   *
   * @param manager of the node, whose Vert.x is closed after
   */
  public static void terminate(HazelcastClusterManager manager) {
    manager.getHazelcastInstance().getLifecycleService().terminate();
  }

  /**
   * Hears when a member has gone over to another cluster, with what it had.
   *
   * @param member of the smaller side
   * @return counted down then
   */
  public static CountDownLatch merged(HazelcastInstance member) {
    CountDownLatch merged = new CountDownLatch(1);
    member.getLifecycleService().addLifecycleListener(event -> {
      if (event.getState() == LifecycleEvent.LifecycleState.MERGED) {
        merged.countDown();
      }
    });
    return merged;
  }

  /**
   * Adds what a map of replies needs, as docs/failover.md has it, and few partitions.
   *
   * @param config what to change
   * @param map its name
   * @param smallest of fewer members none gets at it
   * @param backupMillis how long a backup may take; joining needs one as well
   * @return the same configuration
   */
  public static Config keepReplies(Config config, String map, int smallest, int backupMillis) {
    config.setProperty("hazelcast.partition.count", "31")
        .setProperty("hazelcast.operation.fail.on.indeterminate.state", "true")
        .setProperty("hazelcast.operation.backup.timeout.millis", Integer.toString(backupMillis));
    config.addSplitBrainProtectionConfig(new SplitBrainProtectionConfig("majority", true, smallest));
    return config.addMapConfig(new MapConfig(map).setBackupCount(1).setTimeToLiveSeconds(1800)
        .setSplitBrainProtectionName("majority"));
  }
}
