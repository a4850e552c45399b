// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.fixture.CallLoops;
import dev.rpcrdma.api.fixture.LedgerService;
import dev.rpcrdma.api.fixture.RpcBed;
import dev.rpcrdma.api.fixture.ServerGroup;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Servers and clients on nodes of a Hazelcast cluster. */
@Tag("large")
class ClusterTest {

  private static final AdvertisementOptions OPTIONS = AdvertisementOptions.DEFAULT.withTtl(Duration.ofSeconds(2))
      .withLeave(Duration.ofMillis(200));

  private final ClusterNodes cluster = new ClusterNodes();
  private LedgerCaller caller;
  /** Goes on when a node ends. */
  private final Vertx proxies = Vertx.vertx();

  private PublishedLedger serve(ClusterNodes.Node node) {
    return new PublishedLedger(node.vertx(), proxies, OPTIONS);
  }

  private void call(ClusterNodes.Node node) {
    caller = new LedgerCaller(node.vertx());
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
    PublishedLedger one = serve(second);
    CallLoops load = caller.load(ServerGroup::add);
    one.isCalled();
    PublishedLedger two = serve(first);
    two.isCalled();
    ClusterServer known = Waiting.await(caller.directory.refresh()).stream()
        .filter(server -> server.instance().equals(one.advertisement.instance())).findFirst().orElseThrow();
    assertThat(known.node()).isEqualTo(second.manager().getNodeId());
    assertThat(known.host()).as("of the event bus").isEqualTo(RpcBed.HOST);
    assertThat(known.devices()).containsExactly("siw");
    assertThat(known.serves(LedgerCaller.LEDGER.program(), LedgerCaller.LEDGER.version())).isTrue();
    Waiting.await(one.server.close());
    two.isCalled();
    // Its node ends, and takes it back before.
    PublishedLedger three = serve(second);
    three.isCalled();
    Waiting.await(second.vertx().close());
    Waiting.until(() -> caller.listed().equals(List.of(two.advertisement.instance())));
    two.isCalled();
    Waiting.await(load.stop());
  }

  @Test
  @DisplayName("A node that is killed leaves by itself, and calls go on meanwhile; without the cluster they go on")
  void killed() {
    ClusterNodes.Node first = cluster.start();
    ClusterNodes.Node second = cluster.start();
    call(first);
    PublishedLedger one = serve(second);
    PublishedLedger two = serve(first);
    CallLoops load = caller.load(ServerGroup::look);
    one.isCalled();
    two.isCalled();
    second.kill();
    Waiting.await(one.proxy.close());
    two.isCalled();
    Waiting.until(() -> caller.listed().equals(List.of(two.advertisement.instance())));
    assertThat(caller.directory.isFresh()).isTrue();
    first.kill();
    Waiting.until(() -> !caller.directory.isFresh());
    assertThat(Waiting.awaitFailure(caller.directory.refresh())).isNotNull();
    assertThat(caller.listed()).containsExactly(two.advertisement.instance());
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
    PublishedLedger one = serve(node);
    Waiting.until(() -> caller.listed().size() == 2);
    CallLoops load = caller.load(ServerGroup::add);
    one.isCalled();
    one.isCalled();
    Waiting.await(load.stop());
    assertThat(elsewhere.connectionCount()).isZero();
  }
}
