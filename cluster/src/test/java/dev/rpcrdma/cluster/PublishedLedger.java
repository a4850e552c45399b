// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.fixture.LedgerService;
import dev.rpcrdma.api.fixture.RpcBed;
import dev.rpcrdma.testkit.CuttingProxy;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;

/** A server that is known in its node's cluster, behind a port that can be cut. */
final class PublishedLedger {

  final LedgerService ledger;
  final RpcServer server;
  final CuttingProxy proxy;
  final ClusterAdvertisement advertisement;

  PublishedLedger(Vertx vertx, Vertx proxies, AdvertisementOptions options) {
    ledger = new LedgerService(vertx);
    server = RpcServer.create(vertx, new RpcServerOptions().setProvider("siw")).bind(ledger);
    Waiting.await(server.listen(SocketAddress.inetSocketAddress(0, "0.0.0.0")));
    proxy = new CuttingProxy(proxies, SocketAddress.inetSocketAddress(server.actualPort(), RpcBed.HOST));
    Waiting.await(proxy.start());
    advertisement = Waiting.await(
        ClusterAdvertisement.publish(vertx, server, options.withPort(proxy.address().port())));
    assertThat(advertisement.isPublished()).isTrue();
  }

  String instance() {
    return advertisement.instance();
  }

  /** Waits for calls that it has not had yet. */
  void isCalled() {
    int before = ledger.size();
    Waiting.until(() -> ledger.size() > before + 5);
  }
}
