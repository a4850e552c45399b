// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.command;

import com.hazelcast.config.Config;
import com.hazelcast.config.NetworkConfig;
import io.vertx.spi.cluster.hazelcast.ConfigUtil;
import java.util.List;

/** Configurations of members that know each other by their addresses alone, and report to nobody. */
@SuppressWarnings("exports") // who names it has Hazelcast
public final class MemberConfig {

  private MemberConfig() {}

  /**
   * A configuration. Hazelcast logs nothing in this process from now on: what it logs first is older than its
   * configuration.
   *
   * @param cluster the cluster's name
   * @param address where the member is reached, of this machine
   * @param others members to join, each as {@code host:port}; none for the first one
   * @return a new configuration
   */
  public static Config of(String cluster, String address, List<String> others) {
    System.setProperty("hazelcast.logging.type", "none");
    Config config = ConfigUtil.loadConfig().setClusterName(cluster)
        .setProperty("hazelcast.phone.home.enabled", "false")
        .setProperty("hazelcast.shutdownhook.enabled", "false")
        .setProperty("hazelcast.socket.bind.any", "false")
        .setProperty("hazelcast.wait.seconds.before.join", "0");
    config.getMetricsConfig().setEnabled(false);
    NetworkConfig network = config.getNetworkConfig().setPort(0);
    network.getInterfaces().setEnabled(true).addInterface(address);
    network.getJoin().getAutoDetectionConfig().setEnabled(false);
    network.getJoin().getMulticastConfig().setEnabled(false);
    network.getJoin().getTcpIpConfig().setEnabled(true).setMembers(others);
    return config;
  }
}
