// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.resolver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcConnectException;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.SocketAddress;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StaticResolverTest {

  @Test
  @DisplayName("Servers are read from JSON, in their order")
  void json() {
    StaticResolver resolver = StaticResolver.of(new JsonObject("""
        { "orders": ["10.0.0.7:20049", "[fd00::7]:65535", { "host": "orders.example.com", "port": 1 }], "none": [] }
        """));
    assertThat(resolver.services()).isEqualTo(Map.of("orders", List.of(
        SocketAddress.inetSocketAddress(20049, "10.0.0.7"), SocketAddress.inetSocketAddress(65535, "fd00::7"),
        SocketAddress.inetSocketAddress(1, "orders.example.com")), "none", List.of()));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
      "{\"a\": \"b:1\"} | a is an array of servers, not b:1",
      "{\"a\": [\"b\"]} | A server of a is a text such as",
      "{\"a\": [\"fd00::7:1\"]} | not fd00::7:1",
      "{\"a\": [\"b:0\"]} | 1 to 65535",
      "{\"a\": [\"b:65536\"]} | 1 to 65535",
      "{\"a\": [{\"host\": \"b\"}]} | an object with host and port",
      "{\"a\": [{\"host\": \"b\", \"port\": 0}]} | 1 to 65535",
      "{\"a\": [{\"host\": \"b\", \"port\": 1, \"weight\": 1}]} | an object with host and port",
      "{\"a\": [null]} | not null",
      "{\" \": []} | must not be blank"})
  @DisplayName("What cannot be is refused, with what is allowed")
  void refused(String json, String message) {
    assertThatThrownBy(() -> StaticResolver.of(new JsonObject(json))).isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  @DisplayName("A channel goes to the servers of a name, and to none of a name that is not there")
  void channel() {
    Vertx vertx = Vertx.vertx();
    RpcServer server = RpcServer.create(vertx);
    Waiting.await(server.listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
    RpcClient client = RpcClient.builder(vertx).withAddressResolver(StaticResolver.of(Map.of("orders",
        List.of(SocketAddress.inetSocketAddress(server.actualPort(), "127.0.0.1"))))).build();
    Waiting.await(client.channel(ServiceName.of("orders")).connect());
    assertThat(Waiting.awaitFailure(client.channel(ServiceName.of("others")).connect()))
        .isInstanceOf(RpcConnectException.class).hasMessageContaining("others has no servers");
    Waiting.await(vertx.close());
  }
}
