// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.server;

import static org.assertj.core.api.Assertions.assertThat;

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
import dev.rpcrdma.api.fixture.EchoService;
import dev.rpcrdma.api.fixture.LedgerService;
import dev.rpcrdma.api.fixture.RpcBed;
import dev.rpcrdma.api.impl.connection.DeviceWatch;
import dev.rpcrdma.api.impl.connection.FaultySiw;
import dev.rpcrdma.protocol.wire.CmPrivateData;
import dev.rpcrdma.protocol.wire.InstanceId;
import dev.rpcrdma.protocol.wire.SessionBlock;
import dev.rpcrdma.testkit.CuttingProxy;
import dev.rpcrdma.testkit.FaultPlan;
import dev.rpcrdma.testkit.FaultPlan.Step;
import dev.rpcrdma.testkit.FreePort;
import dev.rpcrdma.testkit.Peer;
import dev.rpcrdma.testkit.VerbsBed;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.DeviceOptions;
import dev.rpcrdma.verbs.VerbsProviders;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What servers and clients remember of each other, over siw; and how many clients there may be. */
class ServerSessionsTest {

  private final Vertx vertx = Vertx.vertx();
  private final RpcClientOptions clientOptions = new RpcClientOptions().setReconnectAttempts(0)
      .setReconnectDelay(Duration.ofMillis(5)).setMaxReconnectDelay(Duration.ofMillis(50))
      .setCallTimeout(Duration.ofSeconds(20)).setDrainTimeout(Duration.ofMillis(500));
  private final RpcServerOptions serverOptions =
      new RpcServerOptions().setDrainTimeout(Duration.ofMillis(500));
  private final BlockingQueue<RpcConnection> accepted = new LinkedBlockingQueue<>();
  private final LedgerService atClient = new LedgerService(vertx);
  private final List<RpcServer> servers = new ArrayList<>();
  private DeviceWatch watch;
  private RpcClient client;
  private CuttingProxy proxy;

  @BeforeEach
  void open() {
    watch = new DeviceWatch(vertx, clientOptions);
    client = RpcClient.builder(vertx).with(clientOptions).build();
  }

  @AfterEach
  void close() {
    Waiting.await(client.close());
    servers.forEach(server -> Waiting.await(server.close()));
    if (proxy != null) {
      Waiting.await(proxy.close());
    }
    watch.assertNothingLeft();
    Waiting.await(vertx.close());
  }

  private RpcServer serve(RpcServerOptions options, int port) {
    RpcServer server = RpcServer.builder(vertx).with(options).build().bind(new LedgerService(vertx))
        .connectionHandler(accepted::add);
    servers.add(server);
    return Waiting.await(server.listen(SocketAddress.inetSocketAddress(port, RpcBed.HOST)));
  }

  private static SocketAddress address(RpcServer server) {
    return SocketAddress.inetSocketAddress(server.actualPort(), RpcBed.HOST);
  }

  private RpcChannel channelThroughProxy(RpcServer server) {
    proxy = new CuttingProxy(vertx, address(server));
    Waiting.await(proxy.start());
    return client.channel(proxy.address());
  }

  private static RpcRequest<Buffer> add(long number) {
    return LedgerService.request(LedgerService.ADD, number, new byte[9]);
  }

  @Test
  @DisplayName("R-159: from one server to another and back: what the first one called is not executed again")
  void thereAndBack() {
    RpcServer first = serve(serverOptions, 0);
    RpcServer second = serve(serverOptions, 0);
    RpcChannel channel = channelThroughProxy(first).bind(atClient);
    Waiting.await(channel.connect());
    Promise<Void> gate = atClient.hold();
    Future<Buffer> reverse = Waiting.next(accepted).peer().call(add(1));
    Waiting.until(() -> atClient.size() == 1);
    proxy.redirect(address(second));
    proxy.cut();
    Waiting.next(accepted);
    // Also at the client, which remembers the second server from now on.
    Waiting.await(channel.connect());
    proxy.redirect(address(first));
    proxy.cut();
    assertThat(Waiting.awaitFailure(reverse)).isInstanceOfSatisfying(RpcConnectionLostException.class, e -> {
      assertThat(e.forgotten()).isTrue();
      assertThat(e.maybeExecuted()).isTrue();
    });
    gate.complete();
    Waiting.await(Waiting.next(accepted).peer().call(add(2)));
    assertThat(atClient.executions(1)).isEqualTo(1);
  }

  @Test
  @DisplayName("R-235: a program that is bound after a loss is served: the channel connects again for it")
  void boundAfterLoss() {
    RpcChannel channel = channelThroughProxy(serve(serverOptions, 0));
    RpcConnection lost = Waiting.await(channel.connect());
    Waiting.next(accepted);
    proxy.cut();
    Waiting.await(lost.closeFuture());
    channel.bind(atClient);
    RpcCaller peer = Waiting.next(accepted).peer();
    // Until it is announced, calls fail at once.
    Waiting.until(() -> {
      Future<Buffer> call = peer.call(add(1)).otherwise(Buffer.buffer());
      return Waiting.await(call).length() > 0;
    });
    assertThat(atClient.executions(1)).isEqualTo(1);
  }

  @Test
  @DisplayName("R-223 R-233: a reverse call waits for the signal of its own program, whatever else is announced")
  void ownSignal() {
    EchoService echo = new EchoService();
    RpcChannel channel = channelThroughProxy(serve(serverOptions, 0)).bind(echo);
    RpcConnection atFirst = Waiting.await(channel.connect());
    atFirst.bind(atClient);
    RpcConnection connection = Waiting.next(accepted);
    connection.peerServes(LedgerService.BINDING.program(), LedgerService.BINDING.version());
    RpcCaller peer = connection.peer();
    Waiting.await(peer.call(add(1)));
    proxy.cut();
    Waiting.await(atFirst.closeFuture());
    Future<Buffer> waits = peer.call(add(2));
    RpcConnection next = Waiting.next(accepted);
    // Announced by our control program, and so the first that a call may be sent for.
    Waiting.await(peer.call(EchoService.echo(new byte[3])));
    assertThat(waits.isComplete()).isFalse();
    Waiting.await(channel.connect()).bind(atClient);
    next.peerServes(LedgerService.BINDING.program(), LedgerService.BINDING.version());
    Waiting.await(waits);
    assertThat(atClient.executions(2)).isEqualTo(1);
  }

  @Test
  @DisplayName("R-327: connections beyond the limits are rejected at once; those that are there go on, and come"
      + " back after a loss")
  void limits() {
    RpcServer server = serve(new RpcServerOptions(serverOptions).setMaxConnections(2), 0);
    RpcChannel first = channelThroughProxy(server);
    Waiting.await(first.connect());
    RpcChannel second = client.channel(address(server));
    Waiting.await(second.connect());
    assertThat(Waiting.awaitFailure(client.channel(address(server)).connect()))
        .isInstanceOf(RpcConnectException.class)
        .hasMessageEndingWith(" rejected the connection: there are 2 connections (maxConnections)");
    proxy.cut();
    Waiting.await(first.call(add(1)));
    Waiting.await(second.close());
    Waiting.await(client.channel(address(server)).call(add(2)));
  }

  @Test
  @DisplayName("R-327: one address does not get all connections")
  void limitOfHost() {
    RpcServer server = serve(new RpcServerOptions(serverOptions).setMaxConnectionsPerHost(1), 0);
    Waiting.await(client.channel(address(server)).connect());
    assertThat(Waiting.awaitFailure(client.channel(address(server)).connect()))
        .isInstanceOf(RpcConnectException.class)
        .hasMessageEndingWith(" rejected the connection: there are 1 connections from there (maxConnectionsPerHost)");
  }

  private static ConnectionOptions showing(SessionBlock block) {
    Buffer privateData = Buffer.buffer(new CmPrivateData(false, 4096, 4096).toByteArray())
        .appendBytes(block.toByteArray());
    return new ConnectionOptions(16, 16, 1, 1, privateData, Duration.ofSeconds(10));
  }

  @Test
  @DisplayName("A client that connects again before its server has got so far comes to the same server")
  void sameServer() {
    RpcServer first = serve(serverOptions, FreePort.find());
    BlockingQueue<RpcConnection> atSecond = new LinkedBlockingQueue<>();
    RpcServer second = RpcServer.builder(vertx).with(serverOptions).build()
        .bind(new LedgerService(vertx)).connectionHandler(atSecond::add);
    servers.add(second);
    Waiting.await(second.listen(address(first)));
    VerbsBed raw = new VerbsBed(VerbsProviders.named("siw"), DeviceOptions.DEFAULT);
    InstanceId id = new InstanceId(7, 8);
    // Both at once: the listener knows of both before any server does.
    Peer one = raw.client();
    Peer other = raw.client();
    Future<?> earlier = raw.connect(address(first), one,
        showing(new SessionBlock(5, id, Optional.empty(), 1)));
    Future<?> later = raw.connect(address(first), other,
        showing(new SessionBlock(5, id, Optional.empty(), 2)));
    Waiting.until(() -> earlier.isComplete() && later.isComplete());
    assertThat(accepted.isEmpty() || atSecond.isEmpty()).as("one of them gets both").isTrue();
    // Whether the first one was being accepted when the second one came, or was up, or is rejected.
    if (earlier.succeeded()) {
      one.awaitDisconnected();
    }
    raw.close();
  }

  @Test
  @DisplayName("B-128: a connection for which there is no memory is rejected at once, and the next one is not")
  void noMemory() {
    FaultySiw.plan(FaultPlan.at(Step.REGISTER, 1));
    try {
      RpcServer server =
          serve(new RpcServerOptions(serverOptions).setProvider(FaultySiw.NAME), 0);
      assertThat(Waiting.awaitFailure(client.channel(address(server)).connect()))
          .isInstanceOf(RpcConnectException.class).hasMessageContaining("reject");
      Waiting.await(client.channel(address(server)).call(add(1)));
    } finally {
      FaultySiw.plan(FaultPlan.none());
    }
  }
}
