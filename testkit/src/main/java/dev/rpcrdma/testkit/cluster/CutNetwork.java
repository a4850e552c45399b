// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit.cluster;

import com.hazelcast.config.Config;
import dev.rpcrdma.testkit.CuttingProxy;
import dev.rpcrdma.testkit.FreePort;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.EventBusOptions;
import io.vertx.core.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * A network on loopback that falls apart when it is told to. Each member of a cluster has a host of its own: it is
 * known by that address alone, where a proxy listens, and connects from it. The event bus connects from anywhere, so
 * that it is cut for everybody. What is cut is closed, and what connects is closed at once; nothing is held up.
 */
@SuppressWarnings("exports") // who uses it has Hazelcast
public final class CutNetwork {

  private static final String LISTENS = "127.0.0.1";

  /** Where one member is. */
  public static final class Host {

    private final String name;
    private final int memberPort = FreePort.find();
    private final int busPort = FreePort.find();
    private final CuttingProxy members;
    private final CuttingProxy bus;

    private Host(Vertx vertx, String name) {
      this.name = name;
      this.members = proxy(vertx, memberPort);
      this.bus = proxy(vertx, busPort);
    }

    private CuttingProxy proxy(Vertx vertx, int port) {
      CuttingProxy proxy = new CuttingProxy(vertx, name, SocketAddress.inetSocketAddress(port, LISTENS));
      Waiting.await(proxy.start());
      return proxy;
    }

    /**
     * By what others find its member.
     *
     * @return host and port
     */
    public String member() {
      return name + ":" + members.address().port();
    }

    /**
     * Changes a configuration: its member is here, notices within seconds who is gone, and looks each second for those
     * who are back.
     *
     * @param config of {@link LoopbackHazelcast}
     * @return the same configuration
     */
    public Config place(Config config) {
      config.getNetworkConfig().setPort(memberPort).setPortAutoIncrement(false).setPublicAddress(member());
      return config.setProperty("hazelcast.heartbeat.interval.seconds", "1")
          .setProperty("hazelcast.max.no.heartbeat.seconds", "4")
          .setProperty("hazelcast.socket.connect.timeout.seconds", "1")
          .setProperty("hazelcast.connection.monitor.interval", "50")
          .setProperty("hazelcast.merge.first.run.delay.seconds", "1")
          .setProperty("hazelcast.merge.next.run.delay.seconds", "1");
    }

    /**
     * An event bus that others find here.
     *
     * @return options
     */
    public EventBusOptions eventBus() {
      return new EventBusOptions().setHost(LISTENS).setPort(busPort).setClusterPublicHost(name)
          .setClusterPublicPort(bus.address().port());
    }

    private void refuse(Predicate<SocketAddress> fromMembers, boolean fromBus) {
      members.refuse(fromMembers);
      bus.refuse(source -> fromBus);
    }
  }

  private final Vertx vertx = Vertx.vertx();
  private final List<Host> hosts = new ArrayList<>();

  /** Creates one without hosts. */
  public CutNetwork() {
    // Hosts come later.
  }

  /**
   * Adds a host.
   *
   * @return everybody reaches it
   */
  public Host host() {
    Host host = new Host(vertx, "127.0.0." + (11 + hosts.size()));
    hosts.add(host);
    return host;
  }

  /**
   * Cuts everything between one side and the other.
   *
   * @param side all other hosts are the other one
   */
  public void split(List<Host> side) {
    for (Host host : hosts) {
      boolean here = side.contains(host);
      host.refuse(source -> here != side.stream().anyMatch(other -> other.name.equals(source.host())), true);
    }
  }

  /** Everybody reaches everybody. */
  public void mend() {
    hosts.forEach(host -> host.refuse(source -> false, false));
  }

  /**
   * Ends all proxies.
   *
   * @return completes when nothing is left
   */
  public Future<Void> close() {
    return vertx.close();
  }
}
