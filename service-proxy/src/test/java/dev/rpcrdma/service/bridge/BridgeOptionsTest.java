// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.api.RpcServerOptions;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Options of a bridge, and permits, as JSON and back. */
class BridgeOptionsTest {

  private static final JsonObject ALL = new JsonObject()
      .put("forwarded", new JsonArray().add(new JsonObject().put("address", "orders")))
      .put("delivered", new JsonArray().add(new JsonObject().put("address", "maker")
          .put("actions", new JsonArray().add("close").add("open"))).add(new JsonObject().put("address", "other")))
      .put("timeout", 7_000L).put("proxyTimeout", "PT2M0.0001S").put("maxHops", 3).put("localOnly", true);

  /** Fails if a key is read into another option, or a copy lacks one. */
  @Test
  @DisplayName("JSON becomes options, a copy of these, and JSON again")
  void json() {
    BridgeOptions options = new BridgeOptions(new BridgeOptions(ALL));
    assertThat(options.toJson()).isEqualTo(ALL);
    assertThat(options.getForwarded()).containsExactly(BridgePermit.address("orders"));
    assertThat(options.getDelivered())
        .containsExactly(BridgePermit.actions("maker", "open", "close"), BridgePermit.address("other"));
    assertThat(options.getTimeout()).isEqualTo(Duration.ofSeconds(7));
    assertThat(options.getProxyTimeout()).isEqualTo(Duration.ofMinutes(2).plusNanos(100_000));
    assertThat(options.getMaxHops()).isEqualTo(3);
    assertThat(options.isLocalOnly()).isTrue();
  }

  @Test
  @DisplayName("Without keys options are those that nobody has set")
  void defaults() {
    BridgeOptions none = new BridgeOptions(new JsonObject());
    assertThat(none.toJson()).isEqualTo(new BridgeOptions().toJson());
    assertThat(none.isLocalOnly()).isFalse();
    assertThat(none.getForwarded()).isEmpty();
  }

  @Test
  @DisplayName("Setters give the same options, and a second permit of an address takes the place of the first")
  void setters() {
    BridgeOptions options = new BridgeOptions();
    assertThat(List.of(options.setTimeout(Duration.ofMillis(1)), options.setProxyTimeout(Duration.ofDays(1)),
        options.setMaxHops(16), options.setLocalOnly(true), options.forward(BridgePermit.address("a")),
        options.forward(BridgePermit.actions("a", "b")), options.deliver(BridgePermit.address("c"))))
        .allMatch(each -> each == options);
    assertThat(options.getForwarded()).containsExactly(BridgePermit.actions("a", "b"));
    assertThat(options.setMaxHops(1).getMaxHops()).isOne();
  }

  /** Fails if a bound is missing, or its value is refused. */
  @Test
  @DisplayName("What is out of range is refused, with the range")
  void ranges() {
    BridgeOptions options = new BridgeOptions();
    for (Duration wrong : List.of(Duration.ZERO, Duration.ofNanos(999_999), Duration.ofDays(1).plusNanos(1))) {
      assertThatThrownBy(() -> options.setTimeout(wrong)).hasMessage("timeout is 1 ms to 1 day, not " + wrong);
      assertThatThrownBy(() -> options.setProxyTimeout(wrong)).hasMessageStartingWith("proxyTimeout is 1 ms to 1 day");
    }
    for (int wrong : new int[] {0, 17}) {
      assertThatThrownBy(() -> options.setMaxHops(wrong)).hasMessage("maxHops is 1 to 16, not " + wrong);
    }
  }

  /** Fails if a permit that is badly written permits more than it says. */
  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
      "{\"forwarded\":[\"orders\"]} | forwarded is an array of permits, not [\"orders\"]",
      "{\"delivered\":[7]} | delivered is an array of permits, not [7]",
      "{\"delivered\":[{\"address\":\"a\",\"actions\":\"b\"}]} | actions is an array of names of methods, not b",
      "{\"delivered\":[{\"address\":\"a\",\"actions\":[\"b\",1]}]} | actions is an array of names of methods, not",
      "{\"delivered\":[{\"adress\":\"a\"}]} | adress",
      "{\"forward\":[]} | No such option: forward (did you mean forwarded?)"})
  @DisplayName("What cannot be read is refused")
  void wrong(String json, String message) {
    assertThatThrownBy(() -> new BridgeOptions(new JsonObject(json))).isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  /** Fails if {@code BridgePermit.fromJson} takes an empty array for none: it permits no action. */
  @Test
  void noActionIsPermitted() {
    BridgePermit none = BridgePermit.fromJson(new JsonObject().put("address", "a").put("actions", new JsonArray()));
    assertThat(none.permits("any")).isFalse();
    assertThat(none.permits(null)).isFalse();
    assertThat(BridgePermit.address("a").permits(null)).isTrue();
    assertThat(none.toJson()).isEqualTo(new JsonObject().put("address", "a").put("actions", new JsonArray()));
  }

  /** Fails if {@code BridgeConfig.of} sets the inline size of who has set one, or none at all. */
  @Test
  @DisplayName("A bridge's verticle has an inline size for messages of an event bus, unless it is told another one")
  void inlineSize() {
    JsonObject json = new JsonObject().put("host", "127.0.0.1").put("port", 0).put("bridge", ALL);
    int usual = BridgeConfig.ofServer(json).options().getJsonObject("limits").getInteger("inlineSize");
    assertThat(usual).isGreaterThan(new RpcServerOptions().getInlineSize());
    JsonObject told = json.copy().put("options",
        new JsonObject().put("limits", new JsonObject().put("inlineSize", 5000)));
    assertThat(BridgeConfig.ofServer(told).options()).isEqualTo(told.getJsonObject("options"));
    JsonObject other = json.copy().put("options",
        new JsonObject().put("limits", new JsonObject().put("maxSegments", 9)));
    assertThat(BridgeConfig.ofServer(other).options().getJsonObject("limits"))
        .isEqualTo(new JsonObject().put("inlineSize", usual).put("maxSegments", 9));
    assertThat(BridgeConfig.ofServer(told).bridge().toJson()).isEqualTo(ALL);
  }
}
