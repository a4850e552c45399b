// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.verticle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.api.resolver.DnsAddress;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.Address;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.net.endpoint.LoadBalancer;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where a configuration says that servers are. */
class ServersConfigTest {

  private static ServersConfig read(String json) {
    return VerticleConfig.ofClient(new JsonObject(json), "callbacks").servers(Optional.empty());
  }

  private static Address address(String json) {
    return read(json).address();
  }

  /** Fails if any branch of {@code ServersConfig.of} gives another address. */
  @Test
  @DisplayName("One server, or several by what knows them")
  void addresses() {
    assertThat(address("{\"host\": \"h\", \"port\": 1}")).isEqualTo(SocketAddress.inetSocketAddress(1, "h"));
    assertThat(address("{\"servers\": [\"10.0.0.7:1\"]}")).hasToString("servers");
    assertThat(address("{\"dns\": {\"srv\": \"_a._tcp.b\"}}")).isEqualTo(DnsAddress.srv("_a._tcp.b"));
    assertThat(address("{\"dns\": {\"host\": \"h\", \"port\": 2, \"refresh\": 50}}"))
        .isEqualTo(DnsAddress.host("h", 2));
  }

  /** Fails if a name means another load balancer. */
  @Test
  @DisplayName("Each load balancer of core has its name")
  void balancers() {
    assertThat(read("{\"servers\": [\"h:1\"]}").balancer()).isSameAs(LoadBalancer.ROUND_ROBIN);
    Map.of("round_robin", LoadBalancer.ROUND_ROBIN, "least_requests", LoadBalancer.LEAST_REQUESTS,
        "random", LoadBalancer.RANDOM, "power_of_two_choices", LoadBalancer.POWER_OF_TWO_CHOICES,
        "consistent_hashing", LoadBalancer.CONSISTENT_HASHING, "first", LoadBalancer.FIRST)
        .forEach((name, balancer) -> assertThat(read("{\"servers\": [\"h:1\"], \"loadBalancer\": \"" + name + "\"}")
            .balancer()).isSameAs(balancer));
  }

  /** Fails if one of the checks is left out. */
  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
      "{} | port is missing: a port, 0 to 65535",
      "{\"server\": []} | there are callbacks, cluster, dns, host, loadBalancer, options, port, servers",
      "{\"host\": \"h\", \"servers\": [\"h:1\"]} | host and port, servers, dns or cluster, one of them alone",
      "{\"dns\": {}, \"cluster\": {}} | one of them alone",
      "{\"host\": \"h\", \"port\": 1, \"loadBalancer\": \"first\"} | loadBalancer chooses among several servers",
      "{\"servers\": [\"h:1\"], \"loadBalancer\": \"best\"} | one of round_robin, least_requests, random,"
          + " power_of_two_choices, consistent_hashing, first, not the text \"best\"",
      "{\"servers\": [\"h:1\"], \"loadBalancer\": 1} | first, not 1",
      "{\"servers\": []} | servers is an array of servers, of one at least, not []",
      "{\"servers\": \"h:1\"} | servers is an array of servers, of one at least, not the text \"h:1\"",
      "{\"servers\": [1]} | An element of servers is a text such as",
      "{\"servers\": [\"h:0\"]} | An element of servers has a port of 1 to 65535, not that of h:0",
      "{\"cluster\": {}} | cluster needs the artifact vertx-rpcrdma-cluster, which is not on the class path",
      "{\"dns\": null} | dns is an object, not null",
      "{\"dns\": {}} | host is missing: a host's name",
      "{\"dns\": {\"name\": \"h\"}} | No such key in dns: name; there are host, nameServer, port, refresh, srv",
      "{\"dns\": {\"srv\": \"s\", \"port\": 1}} | dns has srv, or host and port, not both",
      "{\"dns\": {\"srv\": 1}} | srv is the name of SRV records, not 1",
      "{\"dns\": {\"host\": \"h\", \"port\": 1.5}} | port is a port, 1 to 65535, not 1.5",
      "{\"dns\": {\"host\": \"h\", \"port\": 65536}} | 1 to 65535, not 65536",
      "{\"dns\": {\"srv\": \"s\", \"refresh\": 1.5}} | refresh is a whole number of milliseconds, or a duration",
      "{\"dns\": {\"srv\": \"s\", \"refresh\": 0}} | 1 ms to 1 day",
      "{\"dns\": {\"srv\": \"s\", \"nameServer\": \"10.0.0.2\"}} | nameServer is a text such as"})
  @DisplayName("What cannot be is refused, with what is allowed")
  void refused(String json, String message) {
    assertThatThrownBy(() -> read(json)).isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }
}
