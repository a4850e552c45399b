// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcClientVerticle;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.RpcServerVerticle;
import dev.rpcrdma.api.RpcStatistics;
import dev.rpcrdma.cluster.ClusterAdvertisement;
import dev.rpcrdma.service.fixture.OrderDesk;
import dev.rpcrdma.service.fixture.Orders;
import dev.rpcrdma.testkit.ChildProcess;
import dev.rpcrdma.testkit.FreePort;
import dev.rpcrdma.testkit.ManualPage;
import dev.rpcrdma.testkit.TinyDns;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.ThreadingModel;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.SocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The code, commands, files and options of docs/deploying.md. */
@Tag("large")
class DeployingPageTest {

  private static final ManualPage PAGE = ManualPage.of("deploying.md");

  private final Vertx vertx = Vertx.vertx();
  private SocketAddress address;
  @TempDir
  private Path folder;

  Future<String> serve(SocketAddress address) {
    return vertx.deployVerticle(
        () -> new RpcServerVerticle(new RpcServerOptions(), address,
            server -> server.bind(Orders.class, new OrderDesk())),
        new DeploymentOptions().setInstances(4));
  }

  Future<String> buy(SocketAddress address) {
    return vertx.deployVerticle(new RpcClientVerticle(new RpcClientOptions(), address,
        channel -> channel.proxy(Orders.class).place("tea", 2)));
  }

  Future<String> serveByWorkers(SocketAddress address) {
    RpcServerOptions options = new RpcServerOptions().setParallelServices(true);
    return vertx.deployVerticle(
        new RpcServerVerticle(options, address, server -> server.bind(Orders.class, new OrderDesk())),
        new DeploymentOptions().setThreadingModel(ThreadingModel.WORKER));
  }

  @BeforeEach
  void findPort() {
    address = SocketAddress.inetSocketAddress(FreePort.find(), "127.0.0.1");
  }

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  @Test
  @DisplayName("Verticles are deployed from code, and undeployed")
  void fromCode() {
    String server = Waiting.await(serve(address));
    Waiting.await(buy(address));
    Waiting.await(vertx.undeploy(server));
    Waiting.await(serveByWorkers(address));
    Waiting.await(buy(address));
  }

  /** Fails if a verticle makes its client or server in another way. */
  @Test
  @DisplayName("Verticles use the clients and servers that their classes make")
  void ownClientsAndServers() {
    Waiting.await(vertx.deployVerticle(new CountedServer(address)));
    Waiting.await(vertx.deployVerticle(new CountedClient(address)));
    for (RpcStatistics statistics : List.of(CountedServer.STATISTICS, CountedClient.STATISTICS)) {
      Waiting.until(() -> Waiting.await(statistics.snapshot()).procedures().stream()
          .anyMatch(calls -> calls.procedure().equals("place") && calls.calls() == 1));
    }
  }

  @Test
  @DisplayName("Closing and shutting down")
  void closing() {
    Waiting.await(serve(address));
    RpcClient client = RpcClient.create(vertx);
    RpcChannel channel = client.channel(address);
    Waiting.await(channel.proxy(Orders.class).place("tea", 1));
    Future<Void> closed = client.shutdown(Duration.ofSeconds(1));
    Waiting.await(closed);
  }

  @Test
  @DisplayName("A client goes on with the next provider if it may")
  void providers() {
    Waiting.await(serve(address));
    RpcClientOptions options = new RpcClientOptions()
        .addProvider("ibverbs", new JsonObject())
        .addProvider("siw", new JsonObject().put("busyPollMicros", 100))
        .setProviderFallback(true);
    assertThat(new JsonObject(PAGE.blocks("json").get(0)).stream())
        .allSatisfy(entry -> assertThat(options.toJson().getValue(entry.getKey())).isEqualTo(entry.getValue()));
    // Surefire 3.6.0 fails if the first line that is printed in its JVM is an event loop's, as that warning may be.
    System.err.println("Falls back on purpose:");
    RpcChannel channel = RpcClient.create(vertx, options).channel(address);
    Waiting.await(channel.proxy(Orders.class).place("tea", 1));
    assertThat(Waiting.await(channel.snapshot()).provider()).contains("siw");
  }

  // Several servers

  private JsonObject configuration(String name) {
    return new JsonObject(here(PAGE.blocks("json " + name).get(0)).replace("10.0.0.7", "127.0.0.1")
        .replace("10.0.0.8", "127.0.0.1"));
  }

  private void buy(JsonObject config) {
    Waiting.await(vertx.deployVerticle("dev.rpcrdma.service.fixture.Buyer", new DeploymentOptions().setConfig(config)));
  }

  /** Fails if {@code RpcClientVerticle.start} does not {@code prepare} its builder. */
  @Test
  @DisplayName("Servers are found where a configuration says it")
  void severalServers() {
    RpcServer server = RpcServer.create(vertx).bind(Orders.class, new OrderDesk());
    Waiting.await(server.listen(address));
    Waiting.await(ClusterAdvertisement.publish(vertx, server));
    TinyDns dns = new TinyDns(vertx).srv("_orders._tcp.example.com", 60, 1, address.port(), "a.example.com")
        .a("a.example.com", 60, 127, 0, 0, 1);
    JsonObject byDns = configuration("dns.json");
    byDns.getJsonObject("dns").put("nameServer", "127.0.0.1:" + dns.options().getPort());
    buy(configuration("servers.json"));
    buy(byDns);
    buy(configuration("cluster.json"));
    assertThat(dns.asked()).isPositive();
    assertThat(Waiting.await(server.snapshot()).accepted()).isEqualTo(3);
  }

  // The launcher

  private String here(String text) {
    return text.replace("com.example.", "dev.rpcrdma.service.fixture.").replace("20049", "" + address.port());
  }

  /** The command of the page, with this JVM's class path. */
  private ChildProcess start(String command) {
    List<String> words = new ArrayList<>(List.of(here(command).replace("\\\n", " ").strip().split("\\s+")));
    assertThat(words).startsWith("java", "-cp");
    words.set(0, Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.set(2, System.getProperty("java.class.path"));
    return ChildProcess.command(words).directory(folder).start();
  }

  private static void until(ChildProcess process, String said) {
    Waiting.until(() -> process.output().contains(said) || !process.process().isAlive());
    assertThat(process.output()).contains(said);
  }

  @Test
  @DisplayName("Server and client are launched with nothing but JSON, by the commands of the page")
  void launched() throws Exception {
    for (String name : List.of("server.json", "client.json")) {
      Files.writeString(folder.resolve(name), here(PAGE.blocks("json " + name).get(0)));
    }
    List<String> commands = PAGE.blocks("sh");
    assertThat(commands).hasSize(2);
    try (ChildProcess server = start(commands.get(0))) {
      until(server, "Succeeded in deploying verticle");
      try (ChildProcess client = start(commands.get(1))) {
        until(client, "Order 1\n");
        client.signal("TERM");
        client.await();
      }
      server.signal("TERM");
      server.await();
    }
  }

  @Test
  @DisplayName("All code of the page is compiled")
  void page() {
    assertThat(PAGE.notIn(Path.of("src/test/java/dev/rpcrdma/service/DeployingPageTest.java"),
        Path.of("src/test/java/dev/rpcrdma/service/CountedServer.java"),
        Path.of("src/test/java/dev/rpcrdma/service/CountedClient.java"),
        Path.of("src/test/java/dev/rpcrdma/service/fixture/Buyer.java"))).isEmpty();
  }
}
