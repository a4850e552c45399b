// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.api.HeaderType;
import dev.rpcrdma.api.Payload;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcClosedException;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcException;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.fixture.EchoService;
import dev.rpcrdma.api.fixture.RpcBed;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who closes Vert.x closes clients and servers with it; no call is left without an outcome. */
class EndOfVertxTest {

  private final Vertx ofServer = Vertx.vertx();
  private final Vertx ofClient = Vertx.vertx();
  private final EchoService service = new EchoService();
  private RpcServer server;
  private RpcChannel channel;

  private void connect() {
    server = RpcServer.builder(ofServer).with(new RpcServerOptions().setProvider("siw")
        .setDrainTimeout(Duration.ofMillis(300))).build().bind(service);
    Waiting.await(server.listen(SocketAddress.inetSocketAddress(0, RpcBed.HOST)));
    channel = RpcClient.builder(ofClient).with(new RpcClientOptions().setProvider("siw")
        .setDrainTimeout(Duration.ofMillis(300)).setReconnectAttempts(1)).build()
        .channel(SocketAddress.inetSocketAddress(server.actualPort(), RpcBed.HOST));
    Waiting.await(channel.call(EchoService.echo(new byte[1])));
  }

  @AfterEach
  void close() {
    Waiting.await(ofClient.close());
    Waiting.await(ofServer.close());
  }

  @Test
  void callsUnderWayFail() {
    connect();
    Future<Void> call = channel.call(EchoService.call(EchoService.NEVER));
    Waiting.until(() -> service.never.size() == 1);
    Waiting.await(ofClient.close());
    assertThat(call.cause()).isInstanceOf(RpcException.class);
  }

  @Test
  void callsThatAreServedFail() {
    connect();
    Future<Void> call = channel.call(EchoService.call(EchoService.NEVER));
    Waiting.until(() -> service.never.size() == 1);
    Waiting.await(ofServer.close());
    assertThat(Waiting.awaitFailure(call)).isInstanceOf(RpcException.class);
  }

  @Test
  void callsAfterItFailAndKeepNothing() {
    connect();
    Waiting.await(ofClient.close());
    Payload argument = Payload.copyOf(ofServer, Buffer.buffer("argument"));
    Future<Buffer> call = channel.call(EchoService.echoPlaced(argument));
    assertThat(call.cause()).isInstanceOf(RpcClosedException.class);
    argument.release();
    assertThatThrownBy(argument::bytes).isInstanceOf(IllegalStateException.class);
  }

  private static void assertEnded(RpcServer ended) {
    for (Future<Void> closed : List.of(ended.close(), ended.shutdown(Duration.ZERO), ended.close())) {
      AtomicReference<AsyncResult<Void>> heard = new AtomicReference<>();
      closed.onComplete(heard::set);
      assertThat(heard.get()).isNotNull();
      assertThat(heard.get().succeeded()).isTrue();
    }
  }

  /** Fails if {@code RpcServerImpl.close}, or {@code shutdown}, does not ask whether it {@code isOver}. */
  @Test
  void serversCloseAfterIt() {
    connect();
    Waiting.await(ofServer.close());
    assertEnded(server);
  }

  /** Fails as above. */
  @Test
  void serversThatAreMadeAfterItClose() {
    Waiting.await(ofServer.close());
    assertEnded(RpcServer.create(ofServer).beforeClose(() -> Promise.promise().future()));
    RpcServer other = RpcServer.create(ofServer);
    assertThat(Waiting.awaitFailure(other.snapshot())).isInstanceOf(RpcClosedException.class);
    assertThat(other.shutdown(Duration.ofDays(1)).succeeded()).isTrue();
  }

  @Test
  void whatIsAskedAfterItHasAnOutcomeToo() {
    connect();
    RpcConnection connection = Waiting.await(channel.connect());
    Waiting.await(ofClient.close());
    for (Future<?> asked : List.of(channel.connect(), channel.snapshot(), connection.snapshot(),
        connection.exchange(9, Buffer.buffer(new byte[HeaderType.MIN_LENGTH])))) {
      AtomicReference<Throwable> heard = new AtomicReference<>();
      asked.onFailure(heard::set);
      assertThat(heard.get()).isInstanceOf(RpcClosedException.class);
    }
    assertThat(connection.close().succeeded()).isTrue();
    assertThat(channel.close().succeeded()).isTrue();
  }
}
