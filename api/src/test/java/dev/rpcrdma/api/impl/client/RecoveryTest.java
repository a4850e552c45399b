// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.ChannelSnapshot;
import dev.rpcrdma.api.RpcCaller;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcConnectException;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcConnectionLostException;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.RpcTimeoutException;
import dev.rpcrdma.api.fixture.LedgerService;
import dev.rpcrdma.api.fixture.RpcBed;
import dev.rpcrdma.api.impl.connection.DeviceWatch;
import dev.rpcrdma.protocol.binding.Replay;
import dev.rpcrdma.protocol.xdr.DataItem;
import dev.rpcrdma.testkit.CuttingProxy;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Connections are lost on their way through a proxy, servers are restarted behind it. */
@Tag("seeded")
class RecoveryTest {

  private static final int CUTS = Integer.getInteger("rpcrdma.cuts", 1_000);
  private static final long REPLIES = 16 << 20;
  /** Where nobody listens. */
  private static final SocketAddress NOBODY = SocketAddress.inetSocketAddress(1, RpcBed.HOST);

  private final Vertx vertx = Vertx.vertx();
  private final BlockingQueue<RpcConnection> accepted = new LinkedBlockingQueue<>();
  private final RpcServerOptions serverOptions =
      new RpcServerOptions().setReplyCacheBytes(REPLIES).setDrainTimeout(Duration.ofMillis(500));
  private final RpcClientOptions clientOptions = new RpcClientOptions().setReconnectAttempts(0)
      .setReplyCacheBytes(REPLIES).setReconnectDelay(Duration.ofMillis(5))
      .setMaxReconnectDelay(Duration.ofMillis(50)).setCallTimeout(Duration.ofSeconds(60))
      .setDrainTimeout(Duration.ofMillis(500));
  private DeviceWatch watch;
  private RpcServer server;
  private RpcClient client;
  private CuttingProxy proxy;
  private LedgerService atServer;
  private LedgerService atClient;

  @BeforeEach
  void open() {
    watch = new DeviceWatch(vertx, clientOptions);
    atServer = new LedgerService(vertx);
    atClient = new LedgerService(vertx);
    server = serve(serverOptions, atServer);
    proxy = new CuttingProxy(vertx, address(server));
    Waiting.await(proxy.start());
    client = RpcClient.builder(vertx).with(clientOptions).build();
  }

  @AfterEach
  void close() {
    Waiting.await(client.close());
    Waiting.await(server.close());
    Waiting.await(proxy.close());
    watch.assertNothingLeft();
    Waiting.await(vertx.close());
  }

  private RpcServer serve(RpcServerOptions options, LedgerService service) {
    RpcServer made = RpcServer.builder(vertx).with(options).build().bind(service)
        .connectionHandler(accepted::add);
    return Waiting.await(made.listen(SocketAddress.inetSocketAddress(0, RpcBed.HOST)));
  }

  private static SocketAddress address(RpcServer server) {
    return SocketAddress.inetSocketAddress(server.actualPort(), RpcBed.HOST);
  }

  private RpcConnection accepted() {
    return Waiting.next(accepted);
  }

  @Test
  @DisplayName("R-159 R-233 B-091 B-093: a thousand losses under load, in both directions; each"
      + " call is executed once, and memory stays flat")
  void cuts() {
    RpcChannel channel = client.channel(proxy.address()).bind(atClient);
    Waiting.await(channel.connect());
    LedgerLoad forward = new LedgerLoad(channel, 1);
    LedgerLoad reverse = new LedgerLoad(accepted().peer(), 2);
    // A connection that is cut before it is up is none that was lost.
    while (Waiting.await(channel.snapshot()).connections() <= CUTS) {
      // Some calls are between each cut and the next, and some are always under way.
      Waiting.await(forward.progress());
      Waiting.await(reverse.progress());
      proxy.cut();
    }
    Waiting.await(forward.stop());
    Waiting.await(reverse.stop());
    forward.check(atServer);
    reverse.check(atClient);
    ChannelSnapshot snapshot = Waiting.await(channel.snapshot());
    System.out.println(forward.made() + " calls and " + reverse.made() + " reverse calls over "
        + snapshot.connections() + " connections, " + snapshot.replays() + " sent again");
    assertThat(snapshot.replays()).isPositive();
    assertThat(snapshot.callsPending()).isZero();
  }

  @Test
  @DisplayName("A restart of the server is seen: calls that it may have executed fail, others go on")
  void restart() {
    RpcChannel channel = client.channel(proxy.address());
    Waiting.await(channel.connect());
    Promise<Void> gate = atServer.hold();
    Future<Buffer> add = channel.call(LedgerService.request(LedgerService.ADD, 1, new byte[9]));
    Future<Buffer> look = channel.call(LedgerService.request(LedgerService.LOOK, 2, new byte[9]));
    Waiting.until(() -> atServer.size() == 2);
    LedgerService afterwards = new LedgerService(vertx);
    RpcServer other = serve(serverOptions, afterwards);
    proxy.redirect(address(other));
    proxy.cut();
    assertThat(Waiting.awaitFailure(add)).isInstanceOfSatisfying(RpcConnectionLostException.class, e -> {
      assertThat(e.forgotten()).isTrue();
      assertThat(e.maybeExecuted()).isTrue();
    });
    Waiting.await(look);
    assertThat(afterwards.executions(1)).isZero();
    assertThat(afterwards.executions(2)).isEqualTo(1);
    gate.complete();
    Waiting.await(client.close());
    Waiting.await(other.close());
  }

  @Test
  @DisplayName("A client that the server has forgotten is told so")
  void forgotten() {
    Waiting.await(server.close());
    server = serve(new RpcServerOptions(serverOptions).setSessionTime(Duration.ofMillis(1)),
        atServer);
    proxy.redirect(address(server));
    RpcChannel channel = client.channel(proxy.address());
    Waiting.await(channel.connect());
    RpcConnection first = accepted();
    Promise<Void> gate = atServer.hold();
    Future<Buffer> add = channel.call(LedgerService.request(LedgerService.ADD, 1, new byte[9]));
    Waiting.until(() -> atServer.size() == 1);
    // For longer than the server remembers.
    proxy.redirect(NOBODY);
    proxy.cut();
    Waiting.await(first.closeFuture());
    Waiting.await(vertx.timer(50));
    proxy.redirect(address(server));
    assertThat(Waiting.awaitFailure(add)).isInstanceOfSatisfying(RpcConnectionLostException.class,
        e -> assertThat(e.forgotten()).isTrue());
    gate.complete();
  }

  /** R-235 fails if {@code RpcChannelImpl.connected} does not keep the channel connected. */
  @Test
  @DisplayName("R-233 R-234 R-235 C-20: reverse calls wait for the client's return, within their timeouts")
  void reverseWaits() {
    RpcChannel channel = client.channel(proxy.address()).bind(atClient);
    Waiting.await(channel.connect());
    RpcConnection connection = accepted();
    RpcCaller peer = connection.peer();
    Waiting.await(peer.call(LedgerService.request(LedgerService.ADD, 1, new byte[9])));
    proxy.redirect(NOBODY);
    proxy.cut();
    Waiting.await(connection.closeFuture());
    Throwable failure = Waiting.awaitFailure(peer.call(RpcRequest
        .to(LedgerService.BINDING, LedgerService.LOOK)
        .arguments(writer -> writer.int64(2).dataItem(DataItem.of(new byte[1]))).placedResult(1)
        .options(CallOptions.DEFAULT.withTimeout(Duration.ofMillis(50))).build()));
    assertThat(failure).isInstanceOf(RpcTimeoutException.class);
    Future<Buffer> waits = peer.call(LedgerService.request(LedgerService.ADD, 3, new byte[9]));
    assertThat(waits.isComplete()).isFalse();
    proxy.redirect(address(server));
    Waiting.await(waits);
    assertThat(atClient.executions(3)).isEqualTo(1);
    assertThat(accepted().peer()).isSameAs(peer);
  }

  @Test
  @DisplayName("Who wants nothing to be sent again hears of the loss")
  void never() {
    RpcClient other = RpcClient.builder(vertx).with(
        new RpcClientOptions(clientOptions).setReplay(Replay.NEVER)).build();
    RpcChannel channel = other.channel(proxy.address());
    Waiting.await(channel.connect());
    Promise<Void> gate = atServer.hold();
    Future<Buffer> look = channel.call(LedgerService.request(LedgerService.LOOK, 1, new byte[9]));
    Waiting.until(() -> atServer.size() == 1);
    proxy.cut();
    assertThat(Waiting.awaitFailure(look)).isInstanceOfSatisfying(RpcConnectionLostException.class, e -> {
      assertThat(e.forgotten()).isFalse();
      assertThat(e.maybeExecuted()).isTrue();
    });
    gate.complete();
    Waiting.await(channel.call(LedgerService.request(LedgerService.LOOK, 2, new byte[9])));
    Waiting.await(other.close());
  }

  @Test
  @DisplayName("A server that does not come back fails what waits for it, after some attempts")
  void givesUp() {
    RpcClient other = RpcClient.builder(vertx).with(
        new RpcClientOptions(clientOptions).setReconnectAttempts(3)).build();
    RpcChannel channel = other.channel(proxy.address());
    Waiting.await(channel.connect());
    proxy.redirect(NOBODY);
    Promise<Void> gate = atServer.hold();
    Future<Buffer> call = channel.call(LedgerService.request(LedgerService.ADD, 1, new byte[9]));
    Waiting.until(() -> atServer.size() == 1);
    proxy.cut();
    assertThat(Waiting.awaitFailure(call)).isInstanceOf(RpcConnectException.class);
    gate.complete();
    proxy.redirect(address(server));
    Waiting.await(channel.call(LedgerService.request(LedgerService.ADD, 2, new byte[9])));
    Waiting.await(other.close());
  }

  @Test
  @DisplayName("B-101: a peer that is silent with all credits taken is found, and left")
  void silent() {
    RpcClient other = RpcClient.builder(vertx).with(new RpcClientOptions(clientOptions)
        .setForwardCredits(1).setKeepAliveTime(Duration.ofMillis(100))
        .setKeepAliveTimeout(Duration.ofMillis(100))).build();
    RpcChannel channel = other.channel(proxy.address());
    RpcConnection first = Waiting.await(channel.connect());
    Promise<Void> gate = atServer.hold();
    Future<Buffer> call = channel.call(LedgerService.request(LedgerService.ADD, 1, new byte[9]));
    Waiting.until(() -> atServer.size() == 1);
    proxy.stall();
    Waiting.await(first.closeFuture());
    gate.complete();
    Waiting.await(call);
    assertThat(atServer.executions(1)).isEqualTo(1);
    Waiting.await(other.close());
  }

  @Test
  @DisplayName("A peer that is only quiet is left alone")
  void quiet() {
    RpcClient other = RpcClient.builder(vertx).with(new RpcClientOptions(clientOptions)
        .setKeepAliveTime(Duration.ofMillis(20)).setKeepAliveTimeout(Duration.ofSeconds(5)))
        .build();
    RpcChannel channel = other.channel(proxy.address());
    RpcConnection first = Waiting.await(channel.connect());
    // Many times longer than it takes to be asked.
    Waiting.await(vertx.timer(300));
    assertThat(first.closeFuture().isComplete()).isFalse();
    Waiting.await(first.call(LedgerService.request(LedgerService.LOOK, 1, new byte[9])));
    Waiting.await(other.close());
  }
}
