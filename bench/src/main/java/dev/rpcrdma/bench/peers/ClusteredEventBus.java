// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.peers;

import com.hazelcast.config.Config;
import dev.rpcrdma.bench.measure.Waits;
import dev.rpcrdma.testkit.cluster.LoopbackHazelcast;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.EventBusOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.spi.cluster.hazelcast.ConfigUtil;
import io.vertx.spi.cluster.hazelcast.HazelcastClusterManager;
import java.util.List;

/**
 * Request and reply over the event bus of two Vert.x instances, all work on one event loop of each. They
 * are clustered by Hazelcast, which tells who serves an address and carries no message: for these the
 * event bus has a TCP connection each way.
 */
public final class ClusteredEventBus implements RpcPeer {

  private static final String HOST = "127.0.0.1";
  private static final String ECHO = "bench.echo";
  private static final String PUT = "bench.put";
  private static final String GET = "bench.get";

  private final Vertx vertx;
  private final EventBus bus;
  private final Buffer nothing = Buffer.buffer();
  private final Buffer small = Buffer.buffer(new byte[SMALL]);
  private final Buffer large = Buffer.buffer(new byte[LARGE]);

  /**
   * A member of a cluster.
   *
   * @param vertx its instance
   * @param port where others join
   */
  public record Member(Vertx vertx, int port) {}

  /**
   * Joins a cluster, and connects with the first call.
   *
   * @param port of the server
   */
  public ClusteredEventBus(int port) {
    vertx = join(port);
    bus = vertx.eventBus();
  }

  /**
   * Starts a cluster of one that serves.
   *
   * @return running, on a free port
   */
  public static Member serve() {
    Buffer nothing = Buffer.buffer();
    Buffer large = Buffer.buffer(new byte[LARGE]);
    Member member = join(List.of());
    EventBus bus = member.vertx().eventBus();
    Waits.await(Future.all(
        bus.<Buffer>consumer(ECHO, call -> call.reply(call.body())).completion(),
        bus.<Buffer>consumer(PUT, call -> call.reply(nothing)).completion(),
        bus.<Buffer>consumer(GET, call -> call.reply(large)).completion()));
    return member;
  }

  /**
   * Joins a cluster.
   *
   * @param port of a member
   * @return a member with one event loop
   */
  public static Vertx join(int port) {
    return join(List.of(HOST + ":" + port)).vertx();
  }

  /**
   * Starts a cluster of one that serves nothing.
   *
   * @return a member with one event loop
   */
  public static Member join() {
    return join(List.of());
  }

  private static Member join(List<String> others) {
    HazelcastClusterManager manager = new HazelcastClusterManager(config(others));
    Vertx vertx = Waits.await(Vertx.builder()
        .with(new VertxOptions().setEventLoopPoolSize(1)
            .setEventBusOptions(new EventBusOptions().setHost(HOST)))
        .withClusterManager(manager).buildClustered());
    return new Member(vertx, manager.getHazelcastInstance().getCluster().getLocalMember()
        .getAddress().getPort());
  }

  /** Listens on loopback alone, looks for the members it is told alone, and reports to nobody. */
  private static Config config(List<String> others) {
    // Of the process: what it logs first is older than its configuration.
    System.setProperty("hazelcast.logging.type", "none");
    Config config = LoopbackHazelcast.confine(ConfigUtil.loadConfig(), "bench", others)
        .setProperty("hazelcast.health.monitoring.level", "OFF");
    config.getMetricsConfig().setEnabled(false);
    return config;
  }

  @Override
  public Future<?> echo() {
    return call(ECHO, small);
  }

  @Override
  public Future<?> put() {
    return call(PUT, large);
  }

  @Override
  public Future<?> get() {
    return call(GET, nothing);
  }

  private Future<Buffer> call(String address, Buffer bytes) {
    return bus.<Buffer>request(address, bytes).map(Message::body);
  }

  @Override
  public void close() {
    Waits.await(vertx.close());
  }
}
