// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.RpcTimeoutException;
import dev.rpcrdma.api.fixture.EchoService;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Words for a call whose time is over before it is sent. */
class NotSentTest {

  private final Vertx vertx = Vertx.vertx();

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  /** Fails if {@code CallOutcome.failure} says of it that there is no reply. */
  @Test
  @DisplayName("A call that waits for a credit until its time is over says that it was not sent, and not executed")
  void noCredit() {
    RpcServer server = Waiting.await(RpcServer.create(vertx, new RpcServerOptions().setProvider("siw"))
        .bind(new EchoService()).listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
    RpcChannel channel = RpcClient.create(vertx, new RpcClientOptions().setProvider("siw").setForwardCredits(1))
        .channel(SocketAddress.inetSocketAddress(server.actualPort(), "127.0.0.1"));
    CallOptions impatient = CallOptions.DEFAULT.withTimeout(Duration.ofMillis(200));
    channel.call(RpcRequest.to(EchoService.BINDING, EchoService.NEVER).build());
    Future<?> call = channel.call(EchoService.echo(new byte[1]).withOptions(impatient));
    assertThat(Waiting.awaitFailure(call)).isInstanceOfSatisfying(RpcTimeoutException.class,
        e -> assertThat(e.maybeExecuted()).isFalse())
        .hasMessageEndingWith(": The call was not sent within its timeout (200 ms)");
  }
}
