// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.Cancellation;
import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcCaller;
import dev.rpcrdma.api.RpcCancelledException;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcRejectedException;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcResourceException;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.RpcServerVerticle;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.api.fixture.EchoService;
import dev.rpcrdma.api.fixture.RpcBed;
import dev.rpcrdma.api.fixture.ServerGroup;
import dev.rpcrdma.protocol.binding.ProcedureBinding;
import dev.rpcrdma.protocol.binding.ReplyBound;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.testkit.CuttingProxy;
import dev.rpcrdma.testkit.LoggedMessages;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.ThreadingModel;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.net.endpoint.LoadBalancer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Services that have more calls than they can do. */
class OverloadTest {

  private static final UpperLayerBinding BINDING = new UpperLayerBinding("Slow", 0x20060096, 1, OptionalInt.empty(),
      Map.of(1, new ProcedureBinding("block", 0, 0, ReplyBound.of(0))));

  private final Vertx vertx = Vertx.vertx();
  private final AtomicInteger begun = new AtomicInteger();
  private final BlockingQueue<RpcConnection> connections = new LinkedBlockingQueue<>();
  private final Semaphore goesOn = new Semaphore(0);
  private final RpcServerOptions serverOptions = new RpcServerOptions().setDrainTimeout(Duration.ofMillis(100));
  private final RpcClientOptions clientOptions = new RpcClientOptions();
  private RpcChannel channel;
  /** To the same server, over another connection. */
  private RpcChannel other;

  /** Blocks its thread. */
  private final class Slow implements RpcService {

    @Override
    public UpperLayerBinding binding() {
      return BINDING;
    }

    @Override
    public Future<XdrEncoder> handle(RpcCall call) {
      begun.incrementAndGet();
      goesOn.acquireUninterruptibly();
      return Future.succeededFuture(XdrEncoder.VOID);
    }
  }

  @AfterEach
  void close() {
    goesOn.release(1000);
    Waiting.await(vertx.close());
  }

  private void start() {
    RpcServerVerticle verticle = new RpcServerVerticle(serverOptions,
        SocketAddress.inetSocketAddress(0, RpcBed.HOST),
        server -> server.bind(new Slow()).connectionHandler(connections::add));
    Waiting.await(vertx.deployVerticle(verticle, new DeploymentOptions().setThreadingModel(ThreadingModel.WORKER)));
    SocketAddress address = SocketAddress.inetSocketAddress(verticle.server().actualPort(), RpcBed.HOST);
    channel = RpcClient.create(vertx, clientOptions).channel(address);
    other = RpcClient.create(vertx, clientOptions).channel(address);
  }

  private Future<Void> block() {
    return channel.call(RpcRequest.to(BINDING, 1).build());
  }

  /** A call that is executed, and as many that wait as may. */
  private List<Future<Void>> fill(int waiting) {
    List<Future<Void>> calls = new ArrayList<>(List.of(block()));
    Waiting.until(() -> begun.get() == 1);
    for (int i = 0; i < waiting; i++) {
      calls.add(block());
    }
    return calls;
  }

  private static void assertNotExecuted(Future<?> call) {
    assertThat(Waiting.awaitFailure(call)).isInstanceOfSatisfying(RpcResourceException.class, e -> {
      assertThat(e.maybeExecuted()).isFalse();
      assertThat(e).hasMessageContaining("has not executed");
    });
  }

  /** Fails if {@code Dispatcher.begin} does not ask the backlog, or {@code ServedCall.begin} removes no call. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @DisplayName("A call beyond the bound of a busy service is not executed, and its caller hears so")
  void waiting(boolean parallel) {
    serverOptions.setMaxCallsPerService(parallel ? 1 : 3).setParallelServices(parallel);
    start();
    // Before all worker threads are taken: connecting needs one.
    Waiting.await(other.connect());
    try (LoggedMessages log = new LoggedMessages("dev.rpcrdma.api.impl.connection.Dispatcher")) {
      List<Future<Void>> calls = new ArrayList<>();
      if (parallel) {
        // Vert.x has twenty worker threads.
        for (int i = 0; i < 20; i++) {
          int next = i + 1;
          calls.add(block());
          Waiting.until(() -> begun.get() == next);
        }
        calls.add(block());
      } else {
        calls.addAll(fill(3));
      }
      assertNotExecuted(block());
      assertNotExecuted(other.call(RpcRequest.to(BINDING, 1).build()));
      assertThat(log.all()).filteredOn(line -> line.contains("Slow") && line.contains("maxCallsPerService"))
          .hasSizeLessThan(2);
      goesOn.release(1000);
      Waiting.await(Future.all(calls));
      assertThat(begun).hasValue(calls.size());
      Waiting.await(block());
    }
  }

  /** Fails if {@code Dispatcher.begin} does not tell the backlog how much time a call has. */
  @Test
  @DisplayName("A call that would begin too late for its caller is not executed, and its caller hears so at once")
  void tooLate() {
    start();
    List<Future<Void>> calls = fill(21);
    // So long does the second one wait, from which the service is known.
    Waiting.await(vertx.timer(400));
    goesOn.release();
    Waiting.until(() -> begun.get() == 2);
    assertNotExecuted(channel.call(RpcRequest.to(BINDING, 1)
        .options(CallOptions.DEFAULT.withTimeout(Duration.ofSeconds(1))).build()));
    goesOn.release(1000);
    Waiting.await(Future.all(calls));
  }

  @Test
  @DisplayName("A caller without metadata hears SYSTEM_ERR")
  void foreign() {
    serverOptions.setMaxCallsPerService(1);
    clientOptions.setMetadata(false);
    start();
    List<Future<Void>> calls = fill(1);
    assertThat(Waiting.awaitFailure(block())).isInstanceOfSatisfying(RpcRejectedException.class,
        e -> assertThat(e.acceptStatus()).contains(AcceptStatus.SYSTEM_ERR));
    goesOn.release(1000);
    Waiting.await(Future.all(calls));
  }

  /** Fails if {@code Dispatcher.dispatch} does not catch the exception of a closed worker pool. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @DisplayName("A service whose worker pool is closed costs its callers nothing but their calls")
  void undeployed(boolean parallel) {
    RpcServer both = RpcServer.create(vertx, serverOptions.setMaxCallsPerService(2).setParallelServices(parallel))
        .bind(new EchoService()).connectionHandler(connections::add);
    Waiting.await(both.listen(SocketAddress.inetSocketAddress(0, RpcBed.HOST)));
    channel = RpcClient.create(vertx, clientOptions)
        .channel(SocketAddress.inetSocketAddress(both.actualPort(), RpcBed.HOST));
    Waiting.await(channel.connect());
    RpcConnection connection = Waiting.next(connections);
    String id = Waiting.await(vertx.deployVerticle(new VerticleBase() {
      @Override
      public Future<?> start() {
        connection.bind(new Slow());
        return Future.succeededFuture();
      }
    }, new DeploymentOptions().setThreadingModel(ThreadingModel.WORKER).setWorkerPoolName("gone" + parallel)));
    goesOn.release();
    Waiting.await(block());
    Waiting.await(vertx.undeploy(id));
    for (int i = 0; i < 4; i++) {
      assertThat(Waiting.awaitFailure(block())).isInstanceOfSatisfying(RpcRejectedException.class,
          e -> assertThat(e.acceptStatus()).contains(AcceptStatus.SYSTEM_ERR));
      Waiting.await(channel.call(EchoService.echo(new byte[1])));
    }
    assertThat(Waiting.await(channel.snapshot()).connections()).isOne();
    Waiting.await(both.close());
  }

  /** Fails if {@code CallBeingServed.serve} keeps the execution of a call that it drops. */
  @Test
  @DisplayName("A call that its caller gives up while it waits counts no more when its turn has come")
  void givenUpWhileWaiting() {
    serverOptions.setMaxExecutions(2).setForwardCredits(2);
    start();
    Cancellation cancellation = Cancellation.create();
    List<Future<Void>> first = fill(0);
    RpcConnection at = Waiting.next(connections);
    Future<Void> second = channel.call(RpcRequest.to(BINDING, 1)
        .options(CallOptions.DEFAULT.withCancellation(cancellation)).build());
    Waiting.until(() -> Waiting.await(at.snapshot()).calls().serving() == 2);
    cancellation.cancel();
    Waiting.awaitFailure(second);
    Waiting.until(() -> Waiting.await(at.snapshot()).calls().serving() == 1);
    goesOn.release(2);
    Waiting.await(Future.all(first));
    Waiting.await(block());
    // The turn of the second one is over.
    Future<Void> fourth = block();
    Future<Void> fifth = block();
    goesOn.release(2);
    Waiting.await(Future.all(fourth, fifth));
    assertThat(begun).hasValue(4);
  }

  /** Gives up as many calls that their service never answers as one connection may have. */
  private RpcChannel fillWithGivenUp(ServerGroup group) {
    group.serverOptions.setMaxExecutions(4).setForwardCredits(4);
    ServerGroup.Member member = group.start();
    RpcChannel direct = group.direct(member.address());
    for (int i = 0; i < 4; i++) {
      giveUp(direct, member);
    }
    return direct;
  }

  /** Gives a call up that a service has, and never answers. */
  private static void giveUp(RpcChannel through, ServerGroup.Member member) {
    int begun = member.echo.never.size() + 1;
    RpcRequest<Void> never = EchoService.call(EchoService.NEVER);
    Cancellation cancellation = Cancellation.create();
    Future<Void> call = through.call(never.withOptions(never.options().withCancellation(cancellation)));
    Waiting.until(() -> member.echo.never.size() == begun);
    cancellation.cancel();
    assertThat(Waiting.awaitFailure(call)).isInstanceOf(RpcCancelledException.class);
  }

  private static boolean serves(RpcCaller direct) {
    return Waiting.await(direct.call(EchoService.echo(new byte[1])).map(true)
        .recover(refused -> Future.succeededFuture(false)));
  }

  /** Fails if an execution ends with its caller. */
  @Test
  @DisplayName("Calls that their callers have given up count until their service has answered")
  void givenUp() {
    try (ServerGroup group = new ServerGroup()) {
      RpcChannel direct = fillWithGivenUp(group);
      assertNotExecuted(direct.call(EchoService.echo(new byte[1])));
      // What the library itself asks for is not counted.
      direct.bind(new EchoService());
      RpcCaller peer = group.members.get(0).accepted.get(0).peer();
      Waiting.until(() -> serves(peer));
      group.members.get(0).echo.never.get(0).complete(XdrEncoder.VOID);
      Waiting.until(() -> serves(direct));
    }
  }

  /** Fails if {@code ServedCall.run} does not leave the execution. */
  @Test
  @DisplayName("Calls that their callers have given up, and that their service never answers, count for its timeout")
  void neverAnswered() {
    try (ServerGroup group = new ServerGroup()) {
      group.serverOptions.setServiceTimeout(Duration.ofMillis(300));
      RpcChannel direct = fillWithGivenUp(group);
      Waiting.until(() -> serves(direct));
    }
  }

  /** Fails if {@code IncomingCall.connectionLost} tells nobody of a call that its caller may ask for again. */
  @Test
  @DisplayName("A call whose connection is lost, and whose caller does not come again, counts for the service timeout")
  void connectionLost() {
    try (ServerGroup group = new ServerGroup()) {
      group.serverOptions.setProvider("siw").setMaxExecutions(1).setForwardCredits(1)
          .setServiceTimeout(Duration.ofMillis(300));
      group.clientOptions.setProvider("siw");
      ServerGroup.Member member = group.start();
      CuttingProxy proxy = new CuttingProxy(group.vertx, member.address());
      Waiting.await(proxy.start());
      RpcClient lost = RpcClient.create(group.vertx, new RpcClientOptions(group.clientOptions)
          .setReconnectDelay(Duration.ofMinutes(5)).setMaxReconnectDelay(Duration.ofMinutes(5)));
      lost.channel(proxy.address()).call(EchoService.call(EchoService.NEVER));
      Waiting.until(() -> member.echo.never.size() == 1);
      proxy.cut();
      RpcChannel direct = group.direct(member.address());
      Waiting.until(() -> serves(direct));
      Waiting.await(lost.close());
      Waiting.await(proxy.close());
    }
  }

  /** Fails if {@code Failover.mayGoOn} keeps it. */
  @Test
  @DisplayName("A call that one server has too many calls for goes to another one")
  void elsewhere() {
    try (ServerGroup group = new ServerGroup()) {
      group.serverOptions.setMaxExecutions(1).setForwardCredits(1);
      group.start(2);
      RpcChannel balanced = group.channel(LoadBalancer.FIRST);
      giveUp(balanced, group.members.get(0));
      assertThat(Waiting.await(balanced.call(ServerGroup.add(1)))).isInstanceOf(Buffer.class);
      assertThat(group.members.get(1).ledger.executions(1)).isOne();
      group.members.get(0).echo.never.get(0).complete(XdrEncoder.VOID);
    }
  }
}
