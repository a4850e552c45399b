// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.resolver.ProgramAddress;
import dev.rpcrdma.cluster.AdvertisementOptions;
import dev.rpcrdma.cluster.ClusterAdvertisement;
import dev.rpcrdma.cluster.ClusterDirectory;
import dev.rpcrdma.cluster.ClusterResolver;
import dev.rpcrdma.cluster.ClusterServer;
import dev.rpcrdma.service.fixture.OrderDesk;
import dev.rpcrdma.service.fixture.Orders;
import dev.rpcrdma.testkit.FreePort;
import dev.rpcrdma.testkit.ManualPage;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.net.endpoint.LoadBalancer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The code of docs/cluster.md. */
class ClusterPageTest {

  private final Vertx vertx = Vertx.vertx();
  private final SocketAddress address = SocketAddress.inetSocketAddress(0, "127.0.0.1");

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  @Test
  @DisplayName("A server makes itself known, and a client finds it")
  void found() {
    Future<ClusterAdvertisement> published = RpcServer.create(vertx)
        .bind(Orders.class, new OrderDesk())
        .listen(address)
        .compose(server -> ClusterAdvertisement.publish(vertx, server));
    Waiting.await(published);

    RpcClient client = RpcClient.builder(vertx)
        .withAddressResolver(ClusterResolver.create())
        .withLoadBalancer(LoadBalancer.LEAST_REQUESTS)
        .build();
    RpcChannel channel = client.channel(ProgramAddress.of(Orders.class));
    Orders orders = channel.proxy(Orders.class);
    assertThat(Waiting.await(orders.place("tea", 2))).isPositive();
  }

  /** Fails if {@code VerticleConfig.listen} does not publish the server. */
  @Test
  @DisplayName("Both from JSON alone; a server that is undeployed has taken itself back")
  void configured() {
    List<JsonObject> configs = ManualPage.of("cluster.md").blocks("json").stream()
        .map(text -> new JsonObject(text.replace("com.example.", "dev.rpcrdma.service.fixture.")
            .replace("10.0.0.7", "127.0.0.1").replace("20049", "" + FreePort.find()))).toList();
    String server = Waiting.await(vertx.deployVerticle("dev.rpcrdma.api.RpcServerVerticle",
        new DeploymentOptions().setConfig(configs.get(0))));
    Waiting.await(vertx.deployVerticle("dev.rpcrdma.service.fixture.Buyer",
        new DeploymentOptions().setConfig(configs.get(1))));
    ClusterDirectory directory = ClusterDirectory.open(vertx);
    assertThat(Waiting.await(directory.refresh())).singleElement().satisfies(known -> {
      assertThat(known.host()).isEqualTo("127.0.0.1");
      assertThat(known.port()).isEqualTo(configs.get(0).getInteger("port"));
    });
    Waiting.await(vertx.undeploy(server));
    assertThat(Waiting.await(directory.refresh())).allMatch(ClusterServer::draining);
  }

  @Test
  @DisplayName("Options")
  void options() {
    AdvertisementOptions options = AdvertisementOptions.DEFAULT
        .withHost("orders-1.example.com")
        .withTtl(Duration.ofSeconds(5));
    assertThat(options.ttl()).hasSeconds(5);
  }

  @Test
  @DisplayName("A directory")
  void directory() {
    ClusterDirectory directory = ClusterDirectory.open(vertx);
    Future<List<ClusterServer>> servers = directory.refresh();
    ClusterResolver resolver = ClusterResolver.of(directory);
    assertThat(Waiting.await(servers)).isEmpty();
    assertThat(resolver).isNotNull();
  }

  @Test
  @DisplayName("All code of the page is here")
  void code() {
    assertThat(ManualPage.of("cluster.md").notIn(
        Path.of("src/test/java/dev/rpcrdma/service/ClusterPageTest.java"))).isEmpty();
  }
}
