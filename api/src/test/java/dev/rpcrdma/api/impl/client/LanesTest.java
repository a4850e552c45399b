// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.Cancellation;
import dev.rpcrdma.api.ChannelSnapshot;
import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcCancelledException;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcConnectException;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.api.RpcStatistics;
import dev.rpcrdma.api.RpcTimeoutException;
import dev.rpcrdma.api.StatisticsSnapshot;
import dev.rpcrdma.api.fixture.EchoService;
import dev.rpcrdma.api.fixture.LedgerService;
import dev.rpcrdma.api.fixture.RecordingService;
import dev.rpcrdma.api.fixture.RpcBed;
import dev.rpcrdma.api.fixture.ServerGroup;
import dev.rpcrdma.api.impl.metrics.RecordingMetrics;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.testkit.fabric.MemoryFabric;
import dev.rpcrdma.testkit.fabric.MemoryProvider;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.metrics.MetricsOptions;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.net.endpoint.LoadBalancer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several connections of one channel to one server. */
class LanesTest {

  private final ServerGroup group = new ServerGroup();
  private ServerGroup.Member server;
  private RpcChannel channel;

  private void open(int connections) {
    group.clientOptions.setConnections(connections).setReconnectDelay(Duration.ofMillis(1));
    group.start(1);
    server = group.members.get(0);
    group.client = RpcClient.create(group.vertx, group.clientOptions);
    channel = group.client.channel(server.address());
  }

  @AfterEach
  void close() {
    group.close();
  }

  /** Connects, and waits for all connections. */
  private static void connectAll(RpcChannel channel) {
    Waiting.await(channel.connect());
    Waiting.until(() -> Waiting.await(channel.snapshot()).parts().stream().allMatch(ChannelSnapshot::connected));
  }

  /** Fails if {@code CompositeChannel.unbind} unbinds at no connection, or keeps what it binds at later ones. */
  @Test
  @DisplayName("A service that is unbound goes from all connections, and may be bound again")
  void unbind() {
    open(3);
    channel.bind(new EchoService());
    connectAll(channel);
    Waiting.until(() -> server.accepted.size() == 3);
    Waiting.until(() -> server.accepted.stream().allMatch(LanesTest::serves));
    channel.unbind(EchoService.BINDING);
    Waiting.until(() -> server.accepted.stream().noneMatch(LanesTest::serves));
    channel.bind(new EchoService());
    Waiting.until(() -> server.accepted.stream().allMatch(LanesTest::serves));
  }

  /** Whether the client at the other end of a connection has said that it serves echoes. */
  private static boolean serves(RpcConnection connection) {
    return Waiting.outcome(connection.call(EchoService.echo(new byte[1]))) == null;
  }

  @Test
  @DisplayName("There are as many connections as were asked for, each with a session and an event loop of its own")
  void connections() {
    open(4);
    Set<Thread> threads = ConcurrentHashMap.newKeySet();
    channel.bind(new EchoService());
    connectAll(channel);
    Waiting.until(() -> server.accepted.size() == 4);
    assertThat(server.accepted).extracting(RpcConnection::peerInstance).doesNotHaveDuplicates();
    List<Future<Buffer>> calls = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      RpcRequest<Buffer> echo = EchoService.echo(new byte[9]);
      calls.add(channel.call(RpcRequest.to(EchoService.BINDING, EchoService.ECHO)
          .arguments(echo.arguments()).replyBound(echo.replyBound()).results(reader -> {
            threads.add(Thread.currentThread());
            return echo.results().decode(reader);
          }).build()));
    }
    Waiting.await(Future.all(calls));
    assertThat(threads).hasSize(4);
    assertThat(Waiting.await(channel.snapshot())).satisfies(snapshot -> {
      assertThat(snapshot.connected()).isTrue();
      assertThat(snapshot.connections()).isEqualTo(4);
      assertThat(snapshot.address()).isEqualTo(server.address());
      assertThat(snapshot.parts()).hasSize(4).allSatisfy(part -> assertThat(part.connected()).isTrue());
    });
  }

  @Test
  @DisplayName("Over siw, too, also where there are fewer event loops than connections")
  void siw() {
    group.start(1);
    Vertx small = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    EchoService service = new EchoService();
    RpcServer siw = RpcServer.create(small).bind(service);
    Waiting.await(siw.listen(SocketAddress.inetSocketAddress(0, RpcBed.HOST)));
    RpcClient client = RpcClient.create(small, new RpcClientOptions().setConnections(3));
    RpcChannel over = client.channel(SocketAddress.inetSocketAddress(siw.actualPort(), RpcBed.HOST));
    List<Future<Buffer>> calls = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      calls.add(over.call(EchoService.echo(new byte[i * 1_000])));
    }
    Waiting.await(Future.all(calls));
    assertThat(Waiting.await(siw.snapshot()).connections()).hasSize(3);
    Waiting.await(client.close());
    Waiting.await(siw.close());
    Waiting.await(small.close());
  }

  /** Fails if {@code LanesChannel} does not look for the one with the fewest calls. */
  @Test
  @DisplayName("A call takes the connection with the fewest calls")
  void fewest() {
    open(3);
    connectAll(channel);
    for (int i = 0; i < 6; i++) {
      channel.call(EchoService.call(EchoService.NEVER));
    }
    Waiting.until(() -> server.echo.never.size() == 6);
    assertThat(Waiting.await(channel.snapshot()).parts()).extracting(ChannelSnapshot::callsPending)
        .containsExactly(2L, 2L, 2L);
    server.echo.never.get(0).complete(XdrEncoder.VOID);
    Waiting.until(() -> Waiting.await(channel.snapshot()).callsPending() == 5);
    channel.call(EchoService.call(EchoService.NEVER));
    Waiting.until(() -> server.echo.never.size() == 7);
    assertThat(Waiting.await(channel.snapshot()).parts()).extracting(ChannelSnapshot::callsPending)
        .containsExactly(2L, 2L, 2L);
    server.echo.never.forEach(never -> never.tryComplete(XdrEncoder.VOID));
  }

  /** Fails if {@code LanesChannel.lane} does not heed the key. */
  @Test
  @DisplayName("Calls of one key are executed in the order in which they were made; keys are spread")
  void keys() {
    open(4);
    List<String> order = new CopyOnWriteArrayList<>();
    RpcServer recording = RpcServer.builder(group.vertx).with(group.serverOptions).build()
        .bind(new RecordingService(order));
    Waiting.await(recording.listen(SocketAddress.inetSocketAddress(0, RpcBed.HOST)));
    RpcChannel recorded = group.client.channel(SocketAddress.inetSocketAddress(recording.actualPort(), RpcBed.HOST));
    List<Future<Buffer>> calls = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      String key = "key" + i % 10;
      calls.add(recorded.call(ServerGroup.keyed(EchoService.echo((key + " " + 1_000 + i).getBytes()), key)));
    }
    Waiting.await(Future.all(calls));
    for (int key = 0; key < 10; key++) {
      String prefix = "key" + key + " ";
      List<Integer> numbers = order.stream().filter(each -> each.startsWith(prefix))
          .map(each -> Integer.parseInt(each.substring(prefix.length() + 4))).toList();
      assertThat(numbers).hasSize(40).isSorted();
    }
    assertThat(Waiting.await(recording.snapshot()).connections()).allSatisfy(
        connection -> assertThat(connection.calls().served()).isPositive());
    Waiting.await(recording.close());
  }

  @Test
  @DisplayName("A connection that is lost has its calls wait, and the others go on")
  void oneIsCut() {
    open(2);
    connectAll(channel);
    Waiting.until(() -> server.accepted.size() == 2);
    Promise<Void> gate = server.ledger.hold();
    List<Future<Buffer>> calls = List.of(channel.call(ServerGroup.add(1)), channel.call(ServerGroup.add(3)));
    Waiting.until(() -> server.ledger.size() == 2);
    RpcConnection second = server.accepted.get(1);
    Waiting.await(server.accepted.get(0).shutdown(Duration.ZERO));
    Waiting.await(channel.call(EchoService.echo(new byte[1])));
    gate.complete();
    Waiting.await(Future.all(calls));
    assertThat(server.ledger.executions(1) + server.ledger.executions(3)).isEqualTo(2);
    assertThat(second.closeFuture().isComplete()).isFalse();
    Waiting.until(() -> server.accepted.size() == 3);
    assertThat(Waiting.await(channel.snapshot()).replays()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  @DisplayName("Connections are lost one after the other, under load in both directions: each call is executed once")
  void cuts(int seed) {
    open(3);
    LedgerService atClient = new LedgerService(group.vertx);
    channel.bind(atClient);
    connectAll(channel);
    Waiting.until(() -> server.accepted.size() == 3);
    Random random = new Random(seed);
    LedgerLoad forward = new LedgerLoad(channel, seed);
    LedgerLoad reverse = new LedgerLoad(server.accepted.get(0).peer(), seed);
    // A connection that has ended already is not lost a second time: how many are lost is what counts.
    int count = server.accepted.size();
    for (int i = 0; i < 150 || count < 30; i++) {
      Waiting.await(forward.progress());
      Waiting.await(reverse.progress());
      count = server.accepted.size();
      RpcConnection one = server.accepted.get(count - 1 - random.nextInt(3));
      one.shutdown(Duration.ZERO);
    }
    Waiting.await(forward.stop());
    Waiting.await(reverse.stop());
    forward.check(server.ledger);
    reverse.check(atClient);
    ChannelSnapshot snapshot = Waiting.await(channel.snapshot());
    assertThat(snapshot.connections()).isGreaterThan(20);
    assertThat(snapshot.callsPending()).isZero();
  }

  @Test
  @DisplayName("The server calls back over each of them, and what is called there calls over the same one")
  void reverse() {
    open(3);
    channel.bind(new RpcService() {
      @Override
      public UpperLayerBinding binding() {
        return EchoService.BINDING;
      }

      @Override
      public Future<XdrEncoder> handle(RpcCall call) {
        return call.connection().peer().call(EchoService.call(EchoService.NEVER))
            .map(any -> XdrEncoder.VOID);
      }
    });
    connectAll(channel);
    Waiting.until(() -> server.accepted.size() == 3);
    for (int i = 0; i < 3; i++) {
      RpcConnection connection = server.accepted.get(i);
      long before = Waiting.await(connection.snapshot()).calls().served();
      Future<Void> call = connection.peer().call(EchoService.call(EchoService.NEVER));
      int number = i + 1;
      Waiting.until(() -> server.echo.never.size() == number);
      server.echo.never.get(i).complete(XdrEncoder.VOID);
      Waiting.await(call);
      assertThat(Waiting.await(connection.snapshot()).calls().served()).isEqualTo(before + 1);
    }
  }

  /** Fails if {@code LanesChannel.leastBusy} brings up no connections beside the first. */
  @Test
  @DisplayName("The other connections are made when the first is up, though calls need no more than that one")
  void broughtUp() {
    open(3);
    Waiting.await(channel.call(EchoService.echo(new byte[1])));
    Waiting.await(channel.call(EchoService.echo(new byte[1])));
    Waiting.until(() -> server.accepted.size() == 3);
  }

  /** Fails if {@code LanesChannel.isDown} takes one connection for all. */
  @Test
  @DisplayName("A server is not passed over while one of its connections is up, though another cannot be made")
  void oneCannotBeMade() {
    group.clientOptions.setConnections(2).setReconnectDelay(Duration.ofMinutes(1))
        .setMaxReconnectDelay(Duration.ofMinutes(1));
    int most = group.serverOptions.getMaxConnections();
    group.serverOptions.setMaxConnections(1);
    group.start(1);
    group.serverOptions.setMaxConnections(most);
    group.start(1);
    channel = group.channel(LoadBalancer.FIRST);
    Waiting.until(() -> {
      Waiting.await(channel.call(ServerGroup.add(1)));
      return Waiting.await(channel.snapshot()).parts().get(0).parts().stream()
          .anyMatch(part -> part.lastFailure().isPresent());
    });
    assertThat(group.members.get(0).accepted).hasSize(1);
    int before = group.members.get(0).ledger.executions(1);
    for (int i = 0; i < 10; i++) {
      Waiting.await(channel.call(ServerGroup.add(1)));
    }
    assertThat(group.members.get(0).ledger.executions(1)).isEqualTo(before + 10);
    assertThat(group.members.get(1).ledger.size()).isZero();
  }

  @Test
  @DisplayName("Servers of an address have several connections each")
  void ofAnAddress() {
    group.clientOptions.setConnections(2);
    group.start(2);
    channel = group.channel(LoadBalancer.ROUND_ROBIN);
    List<Future<Buffer>> calls = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      calls.add(channel.call(ServerGroup.add(i * 2 + 1)));
    }
    Waiting.await(Future.all(calls));
    group.members.forEach(member -> Waiting.until(() -> member.accepted.size() == 2));
    assertThat(group.members).allSatisfy(member -> assertThat(member.ledger.size()).isEqualTo(50));
    ChannelSnapshot snapshot = Waiting.await(channel.snapshot());
    assertThat(snapshot.connections()).isEqualTo(4);
    assertThat(snapshot.parts()).hasSize(2).allSatisfy(part -> assertThat(part.parts()).hasSize(2));
    group.listed = group.listed.subList(0, 1);
    Waiting.await(channel.call(ServerGroup.add(1_001)));
    ServerGroup.Member left = group.members.get(1);
    left.accepted.forEach(connection -> Waiting.await(connection.closeFuture()));
  }

  @Test
  @DisplayName("Whoever calls hears on a context of its own; without one, on that of the client")
  void contexts() {
    open(3);
    connectAll(channel);
    Context context = group.vertx.getOrCreateContext();
    Set<Boolean> own = ConcurrentHashMap.newKeySet();
    CountDownLatch heard = new CountDownLatch(9);
    context.runOnContext(any -> {
      for (int i = 0; i < 9; i++) {
        channel.call(EchoService.echo(new byte[1])).onComplete(echo -> {
          own.add(Vertx.currentContext() == context);
          heard.countDown();
        });
      }
    });
    Waiting.await(heard);
    assertThat(own).containsExactly(true);
    Set<Thread> threads = ConcurrentHashMap.newKeySet();
    List<Future<Buffer>> calls = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      calls.add(channel.call(EchoService.echo(new byte[1])).onComplete(echo -> threads.add(Thread.currentThread())));
    }
    Waiting.await(Future.all(calls));
    Waiting.until(() -> !threads.isEmpty());
    assertThat(threads).hasSize(1);
  }

  @Test
  @DisplayName("Calls are cancelled, and time out, on whatever connection they are")
  void givenUp() {
    open(3);
    Cancellation cancellation = Cancellation.create();
    List<Future<Void>> calls = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      calls.add(channel.call(RpcRequest.to(EchoService.BINDING, EchoService.NEVER)
          .options(CallOptions.DEFAULT.withCancellation(cancellation)).build()));
    }
    Waiting.until(() -> server.echo.never.size() == 6);
    cancellation.cancel();
    calls.forEach(call -> assertThat(Waiting.awaitFailure(call)).isInstanceOf(RpcCancelledException.class));
    for (int i = 0; i < 3; i++) {
      assertThat(Waiting.awaitFailure(channel.call(RpcRequest.to(EchoService.BINDING, EchoService.NEVER)
          .options(CallOptions.DEFAULT.withTimeout(Duration.ofMillis(20))).build())))
          .isInstanceOf(RpcTimeoutException.class);
    }
    server.echo.never.forEach(never -> never.tryComplete(XdrEncoder.VOID));
  }

  @Test
  @DisplayName("Statistics are those of all connections together")
  void statistics() {
    open(3);
    RpcStatistics statistics = RpcStatistics.create();
    RpcClient counted = RpcClient.builder(group.vertx).with(group.clientOptions).withStatistics(statistics).build();
    RpcChannel over = counted.channel(server.address());
    connectAll(over);
    List<Future<Buffer>> calls = new ArrayList<>();
    for (int i = 0; i < 90; i++) {
      calls.add(over.call(ServerGroup.add(i * 2 + 1)));
    }
    Waiting.await(Future.all(calls));
    StatisticsSnapshot snapshot = Waiting.await(statistics.snapshot());
    assertThat(snapshot.traffic().connections()).isEqualTo(3);
    assertThat(snapshot.procedures()).filteredOn(each -> each.procedure().equals("ADD")).singleElement()
        .satisfies(each -> assertThat(each.calls()).isEqualTo(90));
    Waiting.await(counted.close());
    assertThat(Waiting.await(statistics.snapshot()).traffic().connectionsEnded()).isEqualTo(3);
  }

  @Test
  @DisplayName("A backend of metrics hears of each connection, and of each call's beginning and end")
  void metrics() {
    group.start(1);
    RecordingMetrics metrics = new RecordingMetrics();
    Vertx watched = Vertx.builder()
        .with(new VertxOptions().setMetricsOptions(new MetricsOptions().setEnabled(true)))
        .withMetrics(options -> metrics).build();
    RpcClient client = RpcClient.create(watched, new RpcClientOptions().setProvider(MemoryProvider.NAME)
        .setConnections(3));
    RpcChannel over = client.channel(group.members.get(0).address());
    connectAll(over);
    List<Future<Buffer>> calls = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      calls.add(over.call(ServerGroup.add(i * 2 + 1)));
    }
    Waiting.await(Future.all(calls));
    Waiting.await(client.close());
    assertThat(metrics.events.stream().filter("connected"::equals)).hasSize(3);
    assertThat(metrics.events.stream().filter("disconnected"::equals)).hasSize(3);
    assertThat(metrics.events.stream().filter("calls closed"::equals)).hasSize(3);
    Set<String> begun = metrics.events.stream().filter(event -> event.contains("/ADD"))
        .map(event -> event.substring(0, event.indexOf(' '))).collect(Collectors.toSet());
    assertThat(begun).hasSize(30).allSatisfy(call -> assertThat(metrics.events).contains(call + " ended"));
    Waiting.await(watched.close());
  }

  @Test
  @DisplayName("The queue is full when all of them are; a server that cannot be reached has each call fail")
  void fullAndUnreachable() {
    open(2);
    channel.setWriteQueueMaxSize(1);
    connectAll(channel);
    CountDownLatch drained = new CountDownLatch(1);
    channel.call(EchoService.call(EchoService.NEVER));
    assertThat(channel.writeQueueFull()).isFalse();
    channel.call(EchoService.call(EchoService.NEVER));
    assertThat(channel.writeQueueFull()).isTrue();
    channel.drainHandler(any -> drained.countDown());
    Waiting.until(() -> server.echo.never.size() == 2);
    server.echo.never.forEach(never -> never.complete(XdrEncoder.VOID));
    Waiting.await(drained);
    RpcChannel nowhere = group.client.channel(ServerGroup.NOBODY);
    for (int i = 0; i < 5; i++) {
      assertThat(Waiting.awaitFailure(nowhere.call(ServerGroup.add(1)))).isInstanceOf(RpcConnectException.class);
    }
    assertThat(Waiting.awaitFailure(nowhere.connect())).isInstanceOf(RpcConnectException.class);
    Waiting.await(nowhere.close());
    Waiting.await(nowhere.closeFuture());
  }

  /** Fails if {@code LanesChannel.leastBusy} does not leave out what cannot be reached. */
  @Test
  @DisplayName("A server that takes fewer connections serves all calls over those")
  void fewerConnections() {
    group.serverOptions.setMaxConnections(2);
    open(4);
    Waiting.await(channel.connect());
    Waiting.until(() -> Waiting.await(channel.snapshot()).parts().stream()
        .filter(part -> part.lastFailure().isPresent()).count() == 2);
    for (int i = 0; i < 50; i++) {
      Waiting.await(channel.call(ServerGroup.add(i * 2 + 1)));
    }
    assertThat(server.ledger.size()).isEqualTo(50);
  }

  /** Fails if {@code LanesChannel.leastBusy} does not revive a connection that it leaves out. */
  @Test
  @DisplayName("A connection that could not be made is made later, though no call waits for it")
  void revived() {
    group.clientOptions.setReconnectAttempts(0);
    MemoryFabric.of(group.vertx).refuse(1);
    open(2);
    Waiting.await(channel.connect());
    Waiting.until(() -> {
      Waiting.await(channel.call(ServerGroup.look(1)));
      return Waiting.await(channel.snapshot()).parts().stream().allMatch(ChannelSnapshot::connected);
    });
  }

  /** Fails if {@code connect} waits for all, or a call is given to a connection that is not up while another one is. */
  @Test
  @DisplayName("One connection is enough to be connected, and to call: nobody waits for the slowest")
  void slowest() {
    group.start(1);
    Vertx vertx = group.vertx;
    RpcServer siw = RpcServer.create(vertx, new RpcServerOptions().setProvider("siw")).bind(new EchoService());
    Waiting.await(siw.listen(SocketAddress.inetSocketAddress(0, RpcBed.HOST)));
    AtomicInteger accepted = new AtomicInteger();
    NetServer before = Waiting.await(vertx.createNetServer().connectHandler(socket -> {
      socket.pause();
      // The others have no answer.
      if (accepted.incrementAndGet() == 1) {
        vertx.createNetClient().connect(siw.actualPort(), RpcBed.HOST).onSuccess(other -> {
          socket.pipeTo(other);
          other.pipeTo(socket);
        });
      }
    }).listen(0, RpcBed.HOST));
    RpcClient client = RpcClient.create(vertx, new RpcClientOptions().setProvider("siw").setConnections(3)
        .setConnectTimeout(Duration.ofMinutes(10)).setDrainTimeout(Duration.ofMillis(1)));
    RpcChannel over = client.channel(SocketAddress.inetSocketAddress(before.actualPort(), RpcBed.HOST));
    Waiting.await(over.connect());
    for (int i = 0; i < 10; i++) {
      Waiting.await(over.call(EchoService.echo(new byte[1])));
    }
    Waiting.until(() -> accepted.get() == 3);
    over.setWriteQueueMaxSize(1);
    over.call(EchoService.call(EchoService.NEVER));
    assertThat(over.writeQueueFull()).as("the one that is up is full").isTrue();
    Waiting.await(before.close());
    Waiting.await(client.close());
    Waiting.await(siw.close());
  }

  /** Fails if {@code LanesChannel.laneOf} takes the lane of the key in any case. */
  @Test
  @DisplayName("Calls with a routing key go over another connection where theirs has never been made")
  void fewerThanAskedFor() {
    group.serverOptions.setMaxConnectionsPerHost(2);
    open(4);
    Waiting.await(channel.connect());
    Waiting.until(() -> Waiting.await(channel.snapshot()).parts().stream()
        .allMatch(part -> part.connected() || part.lastFailure().isPresent()));
    for (int key = 0; key < 20; key++) {
      Waiting.await(channel.call(ServerGroup.keyed(EchoService.echo(new byte[1]), "key" + key)));
    }
    assertThat(Waiting.await(channel.snapshot()).parts()).filteredOn(ChannelSnapshot::connected).hasSize(2);
  }

  /** Fails if {@code LanesChannel.laneOf} keeps the lane of a key that was up once. */
  @Test
  @DisplayName("Calls with a routing key go on where a server takes fewer connections than it once did")
  void fewerThanBefore() {
    group.clientOptions.setReconnectAttempts(1);
    open(4);
    connectAll(channel);
    MemoryFabric fabric = MemoryFabric.of(group.vertx);
    fabric.refuse(1_000_000);
    fabric.cut();
    Waiting.until(() -> Waiting.await(channel.snapshot()).parts().stream().noneMatch(ChannelSnapshot::connected));
    for (int key = 0; key < 20; key++) {
      Waiting.awaitFailure(channel.call(ServerGroup.keyed(EchoService.echo(new byte[1]), "key" + key)));
    }
    fabric.refuse(0);
    Waiting.await(channel.connect());
    for (int key = 0; key < 20; key++) {
      Waiting.await(channel.call(ServerGroup.keyed(EchoService.echo(new byte[1]), "key" + key)));
    }
  }

  /** Fails if {@code LanesChannel.leastBusy} does not look for the fewest calls among those that are down. */
  @Test
  @DisplayName("Calls are spread also while no connection can be made")
  void spreadWithoutConnections() {
    open(2);
    RpcClient patient = RpcClient.create(group.vertx, group.clientOptions.setReconnectAttempts(1000)
        .setReconnectDelay(Duration.ofMinutes(1)).setMaxReconnectDelay(Duration.ofMinutes(1))
        .setDrainTimeout(Duration.ofMillis(1)));
    RpcChannel waiting = patient.channel(server.address());
    connectAll(waiting);
    MemoryFabric fabric = MemoryFabric.of(group.vertx);
    fabric.refuse(1_000_000);
    fabric.cut();
    Waiting.until(() -> Waiting.await(waiting.snapshot()).parts().stream().noneMatch(ChannelSnapshot::connected));
    for (int i = 0; i < 4; i++) {
      waiting.call(ServerGroup.add(1 + 2 * i));
    }
    assertThat(Waiting.await(waiting.snapshot()).parts()).extracting(ChannelSnapshot::callsPending)
        .containsExactly(2L, 2L);
    Waiting.await(patient.close());
  }
}
