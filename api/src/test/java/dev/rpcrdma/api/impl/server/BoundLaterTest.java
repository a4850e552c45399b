// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcRejectedException;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.fixture.EchoService;
import dev.rpcrdma.api.fixture.LedgerService;
import dev.rpcrdma.api.fixture.RpcBed;
import dev.rpcrdma.api.fixture.ServerGroup;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.testkit.fabric.MemoryProvider;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Services that a server gets while clients are connected to it. */
class BoundLaterTest {

  private final Vertx vertx = Vertx.vertx();

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  /** Fails if {@code ServedPrograms.judge} does not look for what is new. */
  @Test
  @DisplayName("A service that is bound while clients are connected is served to them with their next call")
  void served() {
    LedgerService ledger = new LedgerService(vertx);
    RpcServer server = RpcServer.create(vertx, new RpcServerOptions().setProvider(MemoryProvider.NAME)).bind(ledger);
    Waiting.await(server.listen(SocketAddress.inetSocketAddress(0, RpcBed.HOST)));
    RpcChannel channel = RpcClient.create(vertx, new RpcClientOptions().setProvider(MemoryProvider.NAME))
        .channel(SocketAddress.inetSocketAddress(server.actualPort(), RpcBed.HOST));
    RpcConnection connection = Waiting.await(channel.connect());
    assertThat(Waiting.awaitFailure(channel.call(EchoService.echo(new byte[1]))))
        .isInstanceOfSatisfying(RpcRejectedException.class,
            e -> assertThat(e.acceptStatus()).contains(AcceptStatus.PROG_UNAVAIL));
    server.bind(new EchoService());
    Waiting.await(channel.call(EchoService.echo(new byte[1])));
    Waiting.await(channel.call(ServerGroup.add(1)));
    assertThat(Waiting.await(channel.connect())).isSameAs(connection);
  }
}
