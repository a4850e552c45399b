// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.RpcTransportException;
import dev.rpcrdma.api.fixture.LedgerService;
import dev.rpcrdma.api.fixture.ServerGroup;
import dev.rpcrdma.testkit.CuttingProxy;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Words for a call that comes again, and whose reply was not kept. */
class NotKeptTest {

  private final Vertx vertx = Vertx.vertx();

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  /** Fails if {@code ChannelCall.failed} does not ask whether the call was sent before. */
  @Test
  @DisplayName("A call whose reply was not kept says so when it comes again, and which option keeps it")
  void notKept() {
    LedgerService ledger = new LedgerService(vertx);
    BlockingQueue<RpcConnection> accepted = new LinkedBlockingQueue<>();
    RpcServer server = Waiting.await(RpcServer.builder(vertx)
        .with(new RpcServerOptions().setProvider("siw").setReplyCacheBytes(0)
            .setLargeReplyCacheBytes(0)).build().bind(ledger)
        .connectionHandler(accepted::add).listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
    CuttingProxy proxy = new CuttingProxy(vertx, SocketAddress.inetSocketAddress(server.actualPort(), "127.0.0.1"));
    Waiting.await(proxy.start());
    RpcChannel channel = RpcClient.create(vertx, new RpcClientOptions().setProvider("siw").setReconnectAttempts(0)
        .setReconnectDelay(Duration.ofMillis(20)).setMaxReconnectDelay(Duration.ofMillis(50)))
        .channel(proxy.address());
    Promise<Void> gate = ledger.hold();
    Future<?> call = channel.call(ServerGroup.add(1));
    Waiting.until(() -> ledger.size() == 1);
    proxy.refuse(source -> true);
    Waiting.await(Waiting.next(accepted).closeFuture());
    gate.complete();
    // The reply is made in turns of the server's loop before this one.
    Waiting.await(server.snapshot());
    proxy.refuse(source -> false);
    assertThat(Waiting.awaitFailure(call)).isInstanceOfSatisfying(RpcTransportException.class,
        e -> assertThat(e.maybeExecuted()).isTrue()).hasMessageContaining("not kept its reply: raise replyCacheBytes");
    assertThat(ledger.executions(1)).isEqualTo(1);
    Waiting.await(proxy.close());
  }
}
