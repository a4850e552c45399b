// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.config.Config;
import com.hazelcast.config.InMemoryXmlConfig;
import com.hazelcast.config.MapConfig;
import com.hazelcast.config.SplitBrainProtectionConfig;
import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.resolver.ServiceName;
import dev.rpcrdma.api.resolver.StaticResolver;
import dev.rpcrdma.cluster.replicated.ReplicatedReplies;
import dev.rpcrdma.cluster.replicated.ReplicatedRepliesOptions;
import dev.rpcrdma.service.fixture.OrderDesk;
import dev.rpcrdma.service.fixture.Orders;
import dev.rpcrdma.testkit.ManualPage;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.testkit.cluster.LoopbackHazelcast;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.shareddata.AsyncMap;
import io.vertx.spi.cluster.hazelcast.HazelcastClusterManager;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The code of docs/failover.md. */
@Tag("large")
class FailoverPageTest {

  private final Vertx calling = Vertx.vertx();
  private Vertx vertx;

  @AfterEach
  void close() {
    Waiting.await(calling.close());
    if (vertx != null) {
      Waiting.await(vertx.close());
    }
  }

  private static Config page() {
    return new InMemoryXmlConfig(ManualPage.of("failover.md").blocks("xml").get(0));
  }

  /** On loopback, in a cluster of its own, which may be as small as one. */
  private static HazelcastClusterManager manager(Config config) {
    LoopbackHazelcast.confine(config, UUID.randomUUID().toString(), List.of());
    LoopbackHazelcast.keepSubscriptions(config);
    config.getSplitBrainProtectionConfig("majority").setEnabled(false);
    return new HazelcastClusterManager(config);
  }

  @Test
  @DisplayName("A server keeps replies in the map of its cluster, and a client that is no node has it do so")
  void served() {
    vertx = LoopbackHazelcast.join(manager(page()));
    ReplicatedReplies replies = ReplicatedReplies.create(vertx, new ReplicatedRepliesOptions());
    RpcServer server = RpcServer.create(vertx).bind(replies.around(Orders.class, new OrderDesk()));
    Waiting.await(server.listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
    RpcChannel channel = RpcClient.builder(calling)
        .withAddressResolver(StaticResolver.of(Map.of("orders",
            List.of(SocketAddress.inetSocketAddress(server.actualPort(), "127.0.0.1")))))
        .build().channel(ServiceName.of("orders"));
    Orders orders = channel.proxy(Orders.class, CallOptions.DEFAULT.withReplicatedReplies());
    assertThat(Waiting.await(orders.place("tea", 2))).isEqualTo(1);
    assertThat(Waiting.outcome(orders.place("tea", 0))).isNotNull();
    assertThat(Waiting.await(orders.find("t"))).containsExactly("tea");
    AsyncMap<String, Buffer> map = Waiting.await(vertx.sharedData().getClusterWideMap("rpcrdma.replies"));
    assertThat(Waiting.await(map.keys())).hasSize(1);
  }

  @Test
  @DisplayName("What is configured in Java is what is configured in XML")
  void configured() {
    Config config = new Config();
    config.setProperty("hazelcast.operation.fail.on.indeterminate.state", "true")
        .setProperty("hazelcast.operation.backup.timeout.millis", "1000");
    config.addSplitBrainProtectionConfig(new SplitBrainProtectionConfig("majority", true, 2));
    config.addMapConfig(new MapConfig("rpcrdma.replies")
        .setBackupCount(1)
        .setTimeToLiveSeconds(1800)
        .setSplitBrainProtectionName("majority"));
    Config page = page();
    assertThat(page.getMapConfig("rpcrdma.replies")).isEqualTo(config.getMapConfig("rpcrdma.replies"));
    assertThat(page.getSplitBrainProtectionConfig("majority"))
        .isEqualTo(config.getSplitBrainProtectionConfig("majority"));
    assertThat(page.getProperties()).isEqualTo(config.getProperties());
    assertThat(ReplicatedRepliesOptions.DEFAULT_MAP_NAME).isEqualTo("rpcrdma.replies");
  }

  @Test
  @DisplayName("All code of the page is here")
  void code() {
    assertThat(ManualPage.of("failover.md").notIn(
        Path.of("src/test/java/dev/rpcrdma/service/FailoverPageTest.java"))).isEmpty();
  }
}
