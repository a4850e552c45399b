package dev.rpcrdma.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.cluster.AdvertisementOptions;
import dev.rpcrdma.api.cluster.ClusterAdvertisement;
import dev.rpcrdma.api.cluster.ClusterDirectory;
import dev.rpcrdma.api.cluster.ClusterResolver;
import dev.rpcrdma.api.cluster.ClusterServer;
import dev.rpcrdma.api.cluster.DirectoryOptions;
import dev.rpcrdma.api.cluster.ProgramAddress;
import dev.rpcrdma.testkit.CuttingProxy;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.net.endpoint.LoadBalancer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Servers and clients on nodes of a Hazelcast cluster. */
class ClusterTest {

  private static final ProgramAddress LEDGER =
      ProgramAddress.of(LedgerService.BINDING.program(), LedgerService.BINDING.version());
  private static final AdvertisementOptions OPTIONS = AdvertisementOptions.DEFAULT.withTtl(Duration.ofSeconds(2))
      .withLeave(Duration.ofMillis(200));

  private final ClusterNodes cluster = new ClusterNodes();
  private final List<Serving> servers = new ArrayList<>();
  private final AtomicLong numbers = new AtomicLong(1);
  private ClusterDirectory directory;
  private RpcClient client;
  private RpcChannel channel;
  /** Goes on when a node ends. */
  private final Vertx proxies = Vertx.vertx();

  /** A server, behind a port that can be cut. */
  private static final class Serving {

    private final LedgerService ledger;
    private final RpcServer server;
    private final CuttingProxy proxy;
    private final ClusterAdvertisement advertisement;

    private Serving(Vertx vertx, Vertx proxies) {
      ledger = new LedgerService(vertx);
      server = RpcServer.create(vertx, new RpcServerOptions().setProvider("siw")).bind(ledger);
      Waiting.await(server.listen(SocketAddress.inetSocketAddress(0, "0.0.0.0")));
      proxy = new CuttingProxy(proxies, SocketAddress.inetSocketAddress(server.actualPort(), RpcBed.HOST));
      Waiting.await(proxy.start());
      advertisement = Waiting.await(
          ClusterAdvertisement.publish(vertx, server, OPTIONS.withPort(proxy.address().port())));
      assertThat(advertisement.isPublished()).isTrue();
    }

    /** Waits for calls that it has not had yet. */
    private void isCalled() {
      int before = ledger.size();
      Waiting.until(() -> ledger.size() > before + 5);
    }
  }

  private Serving serve(ClusterNodes.Node node) {
    Serving serving = new Serving(node.vertx(), proxies);
    servers.add(serving);
    return serving;
  }

  private void call(ClusterNodes.Node node) {
    directory = ClusterDirectory.open(node.vertx(), DirectoryOptions.DEFAULT.withRefresh(Duration.ofMillis(500)));
    client = RpcClient.builder(node.vertx()).with(new RpcClientOptions().setProvider("siw").setReconnectAttempts(1)
        .setReconnectDelay(Duration.ofMillis(1))).withAddressResolver(ClusterResolver.of(directory))
        .withLoadBalancer(LoadBalancer.ROUND_ROBIN).build();
    channel = client.channel(LEDGER);
  }

  private CallLoops load(LongFunction<RpcRequest<?>> request) {
    return new CallLoops(4, () -> channel.call(request.apply(numbers.getAndAdd(2))));
  }

  private List<String> listed() {
    return directory.servers().stream().filter(server -> !server.draining()).map(ClusterServer::instance).toList();
  }

  @AfterEach
  void close() {
    cluster.close();
    Waiting.await(proxies.close());
  }

  @Test
  @DisplayName("Servers come, and end in good order: no call is lost, and none fails")
  void goodOrder() {
    ClusterNodes.Node first = cluster.start();
    ClusterNodes.Node second = cluster.start();
    call(first);
    Serving one = serve(second);
    CallLoops load = load(ServerGroup::add);
    one.isCalled();
    Serving two = serve(first);
    two.isCalled();
    ClusterServer known = Waiting.await(directory.refresh()).stream()
        .filter(server -> server.instance().equals(one.advertisement.instance())).findFirst().orElseThrow();
    assertThat(known.node()).isEqualTo(second.manager().getNodeId());
    assertThat(known.host()).as("of the event bus").isEqualTo(RpcBed.HOST);
    assertThat(known.devices()).containsExactly("siw");
    assertThat(known.serves(LEDGER.program(), LEDGER.version())).isTrue();
    Waiting.await(one.server.close());
    two.isCalled();
    // Its node ends, and takes it back before.
    Serving three = serve(second);
    three.isCalled();
    Waiting.await(second.vertx().close());
    Waiting.until(() -> listed().equals(List.of(two.advertisement.instance())));
    two.isCalled();
    Waiting.await(load.stop());
  }

  @Test
  @DisplayName("A node that is killed leaves by itself, and calls go on meanwhile; without the cluster they go on")
  void killed() {
    ClusterNodes.Node first = cluster.start();
    ClusterNodes.Node second = cluster.start();
    call(first);
    Serving one = serve(second);
    Serving two = serve(first);
    CallLoops load = load(ServerGroup::look);
    one.isCalled();
    two.isCalled();
    second.kill();
    Waiting.await(one.proxy.close());
    two.isCalled();
    Waiting.until(() -> listed().equals(List.of(two.advertisement.instance())));
    assertThat(directory.isFresh()).isTrue();
    first.kill();
    Waiting.until(() -> !directory.isFresh());
    assertThat(Waiting.awaitFailure(directory.refresh())).isNotNull();
    assertThat(listed()).containsExactly(two.advertisement.instance());
    two.isCalled();
    Waiting.await(load.stop());
  }

  /** Fails if calls do not go to another server that found no connection. */
  @Test
  @DisplayName("Calls go elsewhere than to a server that is known and does not listen")
  void doesNotListen() {
    ClusterNodes.Node node = cluster.start();
    call(node);
    RpcServer elsewhere = Waiting.await(RpcServer.create(node.vertx(), new RpcServerOptions().setProvider("siw"))
        .bind(new LedgerService(node.vertx())).listen(SocketAddress.inetSocketAddress(0, RpcBed.HOST)));
    Waiting.await(ClusterAdvertisement.publish(node.vertx(), elsewhere, OPTIONS.withPort(1)));
    Serving one = serve(node);
    Waiting.until(() -> listed().size() == 2);
    CallLoops load = load(ServerGroup::add);
    one.isCalled();
    one.isCalled();
    Waiting.await(load.stop());
    assertThat(elsewhere.connectionCount()).isZero();
  }
}
