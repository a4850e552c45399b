// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.cluster.impl.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.api.impl.verticle.VerticleConfig;
import dev.rpcrdma.api.resolver.ProgramAddress;
import dev.rpcrdma.cluster.AdvertisementOptions;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.Address;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The key {@code cluster} of verticles. */
class ClusterConfigTest {

  private static final ProgramAddress OTHERWISE = ProgramAddress.of(7, 8);

  private static Address address(String json, Optional<ProgramAddress> program) {
    return VerticleConfig.ofClient(new JsonObject(json), "callbacks").servers(program).address();
  }

  /** Fails if {@code ClusterConfig.program} gives another address. */
  @Test
  @DisplayName("Servers are looked for by the program that is named, or by the verticle's own")
  void addresses() {
    assertThat(address("{\"cluster\": {\"program\": 4294967295, \"version\": 1, \"map\": \"m\"}}",
        Optional.of(OTHERWISE))).isEqualTo(ProgramAddress.of(-1, 1));
    assertThat(address("{\"cluster\": {\"refresh\": \"PT1S\"}}", Optional.of(OTHERWISE))).isEqualTo(OTHERWISE);
  }

  /** Fails if one of the checks is left out. */
  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
      "{\"cluster\": []} | cluster is an object, not []",
      "{\"cluster\": {}} | cluster has interface, or program and version, and there is none of them",
      "{\"cluster\": {\"ttl\": 1}} | No such key in cluster: ttl; there are interface, map, program, refresh, version",
      "{\"cluster\": {\"interface\": \"no.Such\"}} | there is none with the name no.Such",
      "{\"cluster\": {\"interface\": \"i\", \"version\": 1}} | cluster has interface, or program and version, not both",
      "{\"cluster\": {\"program\": 1}} | version is a whole number, 0 to 4294967295, not null",
      "{\"cluster\": {\"program\": 4294967296, \"version\": 1}} | 0 to 4294967295, not 4294967296",
      "{\"cluster\": {\"program\": 1, \"version\": 0.5}} | version is a whole number, 0 to 4294967295, not 0.5",
      "{\"cluster\": {\"program\": 1, \"version\": 1, \"refresh\": 1}} | refresh is 10 ms to 1 day, not PT0.001S",
      "{\"cluster\": {\"program\": 1, \"version\": 1, \"map\": \" \"}} | map is a text that is not blank, not"})
  @DisplayName("What cannot be is refused, with what is allowed")
  void refused(String json, String message) {
    assertThatThrownBy(() -> address(json, Optional.empty())).isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  /** Fails if one of the checks is left out. */
  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
      "{\"refresh\": 1} | No such cluster option: refresh; there are host, leave, map, port, ttl",
      "{\"host\": 1} | cluster option host is a text, not 1",
      "{\"port\": 65536} | port is 0 to 65535, not 65536",
      "{\"port\": 1.5} | port is a whole number, not 1.5",
      "{\"port\": 4295032832} | port is a whole number of 32 bits, not 4295032832",
      "{\"ttl\": \"soon\"} | ttl is a whole number of milliseconds, or a duration such as",
      "{\"ttl\": 99} | ttl is 100 ms to 1 day, not PT0.099S",
      "{\"leave\": -1} | leave is 0 to 1 day, not PT-0.001S",
      "{\"map\": 1} | map is a text, not 1"})
  @DisplayName("A server that cannot be published so is refused, with what is allowed")
  void refusedOfServers(String json, String message) {
    assertThatThrownBy(() -> AdvertisementOptions.of(new JsonObject(json)))
        .isInstanceOf(IllegalArgumentException.class).hasMessageContaining(message);
  }
}
