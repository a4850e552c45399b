// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.eventbus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.api.CallInterceptor;
import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcConnectException;
import dev.rpcrdma.api.RpcRejectedException;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.service.fixture.Bare;
import dev.rpcrdma.service.fixture.Doubling;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.core.metrics.MetricsOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.spi.metrics.PoolMetrics;
import io.vertx.core.spi.metrics.VertxMetrics;
import io.vertx.core.tracing.TracingPolicy;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Transports, services and options that a configuration names. */
class ConfiguredTest {

  private static final String VERTICLE = "dev.rpcrdma.service.eventbus.EventBusServiceVerticle";

  private final Vertx vertx = Vertx.vertx();

  /** Adds what the caller says, and what its header says. */
  public static final class Adding implements Bare {

    /** Made without anything. */
    public Adding() {}

    @Override
    public Future<Integer> increment(int value) {
      int by = Integer.parseInt(RpcCall.current().headers().getOrDefault("by", "0"));
      return RpcCall.current().peer().proxy(Bare.class).increment(value).map(back -> back + by);
    }

    @Override
    public Future<Void> nothing() {
      return Future.succeededFuture();
    }
  }

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  private static JsonObject verticle() {
    return new JsonObject().put("address", "adding").put("services", new JsonArray().add(new JsonObject()
        .put("interface", Bare.class.getName()).put("implementation", Adding.class.getName())));
  }

  private Future<String> deploy(JsonObject config) {
    return vertx.deployVerticle(VERTICLE, new DeploymentOptions().setConfig(config));
  }

  private void assertWorks(JsonObject config) {
    ConfiguredChannel channel = ConfiguredChannel.create(vertx, config,
        CallInterceptor.options((request, options) -> options.withHeader("by", "1")));
    channel.bind(Bare.class, new Doubling());
    assertThat(Waiting.await(channel.proxy(Bare.class).increment(20))).isEqualTo(41);
    Waiting.await(channel.close());
    Waiting.awaitFailure(channel.proxy(Bare.class).increment(20));
  }

  @Test
  @DisplayName("Either transport is chosen by configuration")
  void eitherTransport() {
    Waiting.await(deploy(verticle()));
    assertWorks(new JsonObject().put("address", "adding"));
    assertWorks(new JsonObject().put("address", "adding")
        .put("options", new JsonObject().put("timeouts", new JsonObject().put("callTimeout", "PT5S"))
            .put("localOnly", true)));
    RpcServer server = RpcServer.create(vertx).bind(Bare.class, new Adding());
    Waiting.await(server.listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
    assertWorks(new JsonObject().put("host", "127.0.0.1").put("port", server.actualPort())
        .put("options", new JsonObject().put("timeouts", new JsonObject().put("callTimeout", 5000))));
    assertWorks(new JsonObject().put("servers", new JsonArray().add("127.0.0.1:" + server.actualPort()))
        .put("loadBalancer", "first"));
  }

  /** Metrics that know which types of pools of the library are open. */
  private static final class OpenPools implements VertxMetrics {

    private final Set<String> open = ConcurrentHashMap.newKeySet();

    @Override
    public PoolMetrics<?, ?> createPoolMetrics(String type, String name, int most) {
      if (!type.startsWith("rpcrdma")) {
        return null;
      }
      open.add(type);
      return new PoolMetrics<Object, Object>() {
        @Override
        public void close() {
          open.remove(type);
        }
      };
    }
  }

  /** Fails if {@code ConfiguredChannel.ofRdma} closes the channel and leaves its client open. */
  @Test
  @DisplayName("A channel that is closed leaves no device open")
  void closesAll() {
    OpenPools pools = new OpenPools();
    Vertx watched =
        Vertx.builder().with(new VertxOptions().setMetricsOptions(new MetricsOptions().setEnabled(true)))
            .withMetrics(options -> pools).build();
    RpcServer server = RpcServer.create(vertx).bind(Bare.class, new Doubling());
    Waiting.await(server.listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
    ConfiguredChannel channel = ConfiguredChannel.create(watched,
        new JsonObject().put("host", "127.0.0.1").put("port", server.actualPort()));
    Waiting.await(channel.proxy(Bare.class).increment(1));
    assertThat(pools.open).contains("rpcrdma-memory");
    Waiting.await(channel.close());
    assertThat(pools.open).doesNotContain("rpcrdma-memory");
    Waiting.await(watched.close());
  }

  @Test
  @DisplayName("A verticle unregisters when it is undeployed")
  void undeploying() {
    String deployment = Waiting.await(deploy(verticle().put("timeoutMillis", 1000L).put("maxCalls", 5L)
        .put("includeDebugInfo", true).put("localOnly", true)));
    Bare bare = EventBusChannel.create(vertx, "adding").proxy(Bare.class);
    Waiting.await(bare.nothing());
    Waiting.await(vertx.undeploy(deployment));
    assertThat(Waiting.awaitFailure(bare.nothing())).isInstanceOf(RpcConnectException.class);
  }

  /** Answers nothing. */
  public static final class Silent implements Bare {

    /** Made without anything. */
    public Silent() {}

    @Override
    public Future<Integer> increment(int value) {
      return Promise.<Integer>promise().future();
    }

    @Override
    public Future<Void> nothing() {
      return Promise.<Void>promise().future();
    }
  }

  /** Fails if {@code EventBusServiceVerticle.start} takes milliseconds for seconds. */
  @Test
  @DisplayName("A service that does not answer within timeoutMillis fails")
  void timeout() {
    JsonObject silent = new JsonObject().put("address", "silent").put("timeoutMillis", 50)
        .put("services", new JsonArray().add(new JsonObject().put("interface", Bare.class.getName())
            .put("implementation", Silent.class.getName())));
    Waiting.await(deploy(silent));
    assertThat(Waiting.awaitFailure(EventBusChannel.create(vertx, "silent").proxy(Bare.class).nothing()))
        .isInstanceOf(RpcRejectedException.class);
  }

  private void assertRefused(JsonObject config, String... parts) {
    assertThatThrownBy(() -> ConfiguredChannel.create(vertx, config)).isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(parts);
  }

  @Test
  @DisplayName("What is wrong with a channel's configuration is said by its key, with what is allowed")
  void wrongChannels() {
    JsonObject bus = new JsonObject().put("address", "adding");
    assertRefused(bus.copy().put("host", "h"), "No such key in the configuration: host; there are address, options");
    assertRefused(bus.copy().put("address", 1), "address is an address of the event bus, not 1");
    assertRefused(bus.copy().put("options", 1), "options is an object, not 1");
    assertRefused(options("tracing", 1), "No such option: tracing; there are credentials, limits.maxCalls");
    assertRefused(options("timeouts", new JsonObject().put("callTimeout", true)),
        "callTimeout is a whole number of milliseconds");
    assertRefused(options("localOnly", "yes"), "localOnly is true or false, not the text \"yes\"");
    assertRefused(options("limits", new JsonObject().put("maxCalls", 0)), "maxCalls is 1 or more, not 0");
    assertRefused(new JsonObject(), "port is missing: a port");
    assertRefused(new JsonObject().put("cluster", new JsonObject()),
        "cluster has interface, or program and version, and there is none of them");
    assertRefused(new JsonObject().put("host", "h").put("port", 1).put("adress", "a"),
        "adress", "address, cluster, dns, host");
  }

  private static JsonObject options(String key, Object value) {
    return new JsonObject().put("address", "adding").put("options", new JsonObject().put(key, value));
  }

  private void assertNotDeployed(JsonObject config, String part) {
    assertThat(Waiting.awaitFailure(deploy(config))).isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(part);
  }

  @Test
  @DisplayName("What is wrong with a verticle's configuration is said by its key")
  void wrongVerticles() {
    JsonObject good = verticle();
    assertNotDeployed(good.copy().put("host", "h"), "No such key in the configuration: host; there are address, ");
    assertNotDeployed(new JsonObject(), "address is missing: an address of the event bus");
    assertNotDeployed(good.copy().put("timeoutMillis", "1"),
        "timeoutMillis is a whole number of milliseconds, 1 to 86400000, not the text \"1\"");
    assertNotDeployed(good.copy().put("timeoutMillis", 0),
        "timeoutMillis is a whole number of milliseconds, 1 to 86400000, not 0");
    assertNotDeployed(good.copy().put("timeoutMillis", 86_400_001L), "1 to 86400000, not 86400001");
    assertNotDeployed(good.copy().put("maxCalls", 0), "maxCalls is a whole number, 1 to 2147483647, not 0");
    assertNotDeployed(good.copy().put("maxCalls", 3_000_000_000L), "1 to 2147483647, not 3000000000");
    assertNotDeployed(good.copy().put("includeDebugInfo", 1), "includeDebugInfo is true or false, not 1");
    assertNotDeployed(good.copy().put("localOnly", 1), "localOnly is true or false, not 1");
    assertNotDeployed(good.copy().put("services", new JsonArray().add(new JsonObject().put("interface", "no.Such"))),
        "no.Such");
  }

  @Test
  @DisplayName("Options are copied by their JSON form")
  void optionsInJson() {
    EventBusChannelOptions options = new EventBusChannelOptions().setCallTimeout(Duration.ofSeconds(1))
        .setServiceTimeout(Duration.ofSeconds(2)).setLocalOnly(true).setMaxCalls(3)
        .setTracingPolicy(TracingPolicy.ALWAYS);
    EventBusChannelOptions copy = new EventBusChannelOptions(options);
    assertThat(copy.toJson()).isEqualTo(options.toJson());
    assertThat(copy.toJson().getMap()).containsAllEntriesOf(Map.of(
        "timeouts", new JsonObject().put("callTimeout", 1000L).put("serviceTimeout", 2000L), "localOnly", true,
        "limits", new JsonObject().put("maxCalls", 3), "tracingPolicy", "ALWAYS"));
    assertThat(new EventBusChannelOptions().setCredentials(new OpaqueAuth(7, new byte[1])))
        .hasToString("EventBusChannelOptions{\"credentials\":\"set\"}");
    assertThat(copy).isEqualTo(options).hasSameHashCodeAs(options).isNotEqualTo(new EventBusChannelOptions());
    assertThatThrownBy(() -> options.setMaxCalls(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> options.setCallTimeout(Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
  }
}
