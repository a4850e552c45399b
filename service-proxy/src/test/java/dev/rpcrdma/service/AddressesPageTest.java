// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.resolver.DnsAddress;
import dev.rpcrdma.api.resolver.DnsResolver;
import dev.rpcrdma.api.resolver.ServiceName;
import dev.rpcrdma.api.resolver.StaticResolver;
import dev.rpcrdma.service.fixture.OrderDesk;
import dev.rpcrdma.service.fixture.Orders;
import dev.rpcrdma.testkit.ManualPage;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Vertx;
import io.vertx.core.dns.DnsClientOptions;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.AddressResolver;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.net.endpoint.LoadBalancer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The code of docs/addresses.md. */
class AddressesPageTest {

  private final Vertx vertx = Vertx.vertx();

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  @Test
  @DisplayName("A proxy calls the servers of an address")
  void proxy() {
    RpcServer server = RpcServer.create(vertx).bind(Orders.class, new OrderDesk());
    Waiting.await(server.listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
    StaticResolver resolver = StaticResolver.of(Map.of("orders",
        List.of(SocketAddress.inetSocketAddress(server.actualPort(), "127.0.0.1"))));
    RpcClient client = RpcClient.builder(vertx)
        .withAddressResolver(resolver)
        .withLoadBalancer(LoadBalancer.LEAST_REQUESTS)
        .build();
    RpcChannel channel = client.channel(ServiceName.of("orders"));
    Orders orders = channel.proxy(Orders.class);
    assertThat(Waiting.await(orders.place("tea", 2))).isPositive();
  }

  @Test
  @DisplayName("Servers in JSON")
  void json() {
    StaticResolver resolver = StaticResolver.of(new JsonObject("""
        { "orders": ["10.0.0.7:20049", "[fd00::7]:20049", { "host": "orders.example.com", "port": 20049 }] }"""));
    assertThat(resolver.services().get("orders")).hasSize(3);
  }

  @Test
  @DisplayName("Servers in DNS")
  void dns() {
    AddressResolver<DnsAddress> resolver = DnsResolver.create(new DnsClientOptions().setHost("10.0.0.2"))
        .withRefresh(Duration.ofSeconds(10));
    RpcChannel channel = RpcClient.builder(vertx).withAddressResolver(resolver).build()
        .channel(DnsAddress.srv("_orders._tcp.example.com"));
    assertThat(Waiting.await(channel.snapshot()).connected()).isFalse();
  }

  @Test
  @DisplayName("Several connections")
  void connections() {
    RpcClientOptions options = new RpcClientOptions().setConnections(4);
    CallOptions ofOrder = CallOptions.DEFAULT.withRoutingKey("order 17");
    assertThat(options.getConnections()).isEqualTo(4);
    assertThat(ofOrder.routingKey()).contains("order 17");
  }

  @Test
  @DisplayName("All code of the page is here")
  void code() {
    assertThat(ManualPage.of("addresses.md").notIn(
        Path.of("src/test/java/dev/rpcrdma/service/AddressesPageTest.java"))).isEmpty();
  }
}
