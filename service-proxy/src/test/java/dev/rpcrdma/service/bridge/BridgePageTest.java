// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.testkit.FreePort;
import dev.rpcrdma.testkit.ManualPage;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.SocketAddress;
import io.vertx.ext.healthchecks.HealthChecks;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The code and the configurations of docs/bridge.md. */
class BridgePageTest {

  private static final ManualPage PAGE = ManualPage.of("bridge.md");

  private final Vertx here = Vertx.vertx();
  private final Vertx there = Vertx.vertx();

  @BeforeEach
  void serve() {
    there.eventBus().consumer("orders", message -> message.reply(message.body() + "!"));
  }

  @AfterEach
  void close() {
    Waiting.await(here.close());
    Waiting.await(there.close());
  }

  private String order(String action) {
    return Waiting.await(here.eventBus().<String>request("orders", "tea",
        new DeliveryOptions().addHeader("action", action))).body();
  }

  @Test
  @DisplayName("Two ends by code")
  void ends() {
    RpcServer server = serve(there);
    Waiting.await(server.listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
    call(here, SocketAddress.inetSocketAddress(server.actualPort(), "127.0.0.1"));
    assertThat(order("place")).isEqualTo("tea!");
  }

  @Test
  @DisplayName("A bridge shows what it has done")
  void looking() {
    RpcServer server = serve(there);
    Waiting.await(server.listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
    RpcChannel channel =
        RpcClient.create(here).channel(SocketAddress.inetSocketAddress(server.actualPort(), "127.0.0.1"));
    EventBusBridge bridge = EventBusBridge.create(here, new BridgeOptions().forward(BridgePermit.address("orders")));
    Waiting.await(bridge.forward(channel));
    order("place");
    assertThat(bridge.snapshot().forwarded()).isEqualTo(new BridgeTraffic(1, 0, 0, 0));
    assertThat(look(here, bridge, channel)).isZero();
  }

  private static long look(Vertx vertx, EventBusBridge callers, RpcChannel channel) {
    BridgeSnapshot snapshot = callers.snapshot();
    long waiting = snapshot.forwarded().pending();
    HealthChecks checks = HealthChecks.create(vertx)
        .register("callers", BridgeHealthChecks.channel(callers, channel));
    assertThat(Waiting.await(checks.checkStatus("callers")).getUp()).isTrue();
    return waiting;
  }

  private static RpcServer serve(Vertx vertx) {
    RpcServer server = RpcServer.create(vertx);
    EventBusBridge services = EventBusBridge.create(vertx,
        new BridgeOptions().deliver(BridgePermit.actions("orders", "place", "list")));
    server.bind(services.service());
    return server;
  }

  private static void call(Vertx vertx, SocketAddress address) {
    RpcClient client = RpcClient.create(vertx);
    EventBusBridge callers = EventBusBridge.create(vertx,
        new BridgeOptions().forward(BridgePermit.address("orders")));
    Future<Void> registered = callers.forward(client.channel(address));
    Waiting.await(registered);
  }

  @Test
  @DisplayName("Two ends by the page's configurations, deployed by name")
  void verticles() {
    List<JsonObject> all = PAGE.blocks("json").stream().map(JsonObject::new).toList();
    int port = FreePort.find();
    Waiting.await(here.deployVerticle("dev.rpcrdma.service.bridge.BridgeClientVerticle",
        new DeploymentOptions().setConfig(all.get(1).put("host", "127.0.0.1").put("port", port))));
    String server = Waiting.await(there.deployVerticle("dev.rpcrdma.service.bridge.BridgeServerVerticle",
        new DeploymentOptions().setConfig(all.get(0).put("host", "127.0.0.1").put("port", port))));
    assertThat(order("list")).isEqualTo("tea!");
    ReplyException refused = (ReplyException) Waiting.awaitFailure(here.eventBus().request("orders", "tea",
        new DeliveryOptions().addHeader("action", "drop")));
    assertThat(refused.failureCode()).isEqualTo(403);
    Waiting.await(there.undeploy(server));
  }

  /**
   * Fails if {@code BridgeServerVerticle} does not listen as its configuration says, or {@code BridgeClientVerticle}
   * looks for another program.
   */
  @Test
  @DisplayName("Ends of bridges find each other in a cluster")
  void cluster() {
    // One Vert.x instance is the whole cluster: messages need not cross.
    List<RpcServer> made = new CopyOnWriteArrayList<>();
    JsonObject permits = new JsonObject().put("delivered", List.of(new JsonObject().put("address", "orders")));
    Waiting.await(there.deployVerticle(new BridgeServerVerticle() {
      @Override
      protected RpcServer createServer(RpcServerOptions wanted) {
        made.add(super.createServer(wanted));
        return made.get(0);
      }
    }, new DeploymentOptions().setConfig(new JsonObject().put("host", "127.0.0.1").put("port", 0)
        .put("cluster", new JsonObject()).put("bridge", permits))));
    Waiting.await(there.deployVerticle("dev.rpcrdma.service.bridge.BridgeClientVerticle",
        new DeploymentOptions().setConfig(new JsonObject().put("cluster", new JsonObject()).put("bridge", permits))));
    Waiting.until(() -> made.get(0).connectionCount() == 1);
  }

  @Test
  @DisplayName("Verticles of both ends forward and deliver; what is wrong with a configuration fails its deployment")
  void bothWays() {
    int port = FreePort.find();
    JsonObject config = new JsonObject().put("host", "127.0.0.1").put("port", port);
    JsonObject permits = new JsonObject().put("forwarded", List.of(new JsonObject().put("address", "back")));
    here.eventBus().consumer("back", message -> message.reply("from here"));
    Waiting.await(here.deployVerticle(new BridgeClientVerticle(), new DeploymentOptions().setConfig(config.copy()
        .put("bridge", new JsonObject().put("delivered", List.of(new JsonObject().put("address", "back")))))));
    // The server comes later, and still gets a connection.
    Waiting.await(there.deployVerticle(new BridgeServerVerticle(),
        new DeploymentOptions().setConfig(config.copy().put("bridge", permits))));
    Waiting.until(() -> Waiting.outcome(there.eventBus().request("back", "x")) == null);

    assertThat(Waiting.awaitFailure(here.deployVerticle(new BridgeClientVerticle(),
        new DeploymentOptions().setConfig(config))))
        .hasMessage("bridge is missing: an object with what may cross");
    assertThat(Waiting.awaitFailure(here.deployVerticle(new BridgeServerVerticle(),
        new DeploymentOptions().setConfig(config.copy().put("permits", 1)))))
        .hasMessage("No such key in the configuration: permits; there are bridge, cluster, host, options, port");
  }

  @Test
  @DisplayName("All code of the page is compiled")
  void page() {
    assertThat(PAGE.notIn(Path.of("src/test/java/dev/rpcrdma/service/bridge/BridgePageTest.java"))).isEmpty();
  }
}
