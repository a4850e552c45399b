// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcCaller;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcException;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.api.fixture.RpcBed;
import dev.rpcrdma.api.fixture.ServerGroup;
import dev.rpcrdma.protocol.binding.ProcedureBinding;
import dev.rpcrdma.protocol.binding.ReplyBound;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.testkit.CuttingProxy;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.net.AddressResolver;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.net.endpoint.LoadBalancer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Calls that come again to a server that is overloaded, or wait for room while their service is unbound. */
class RepeatedAndLateTest {

  private static final int SET = 1;
  private static final int NEVER = 2;
  private static final int LONG = 3;
  private static final UpperLayerBinding BINDING = new UpperLayerBinding("Steps", 0x200600c1, 1, OptionalInt.empty(),
      Map.of(SET, new ProcedureBinding("set", 0, 0, ReplyBound.of(0)).asIdempotent(),
          NEVER, new ProcedureBinding("never", 0, 0, ReplyBound.of(0)),
          LONG, new ProcedureBinding("long", 0, 0, ReplyBound.UNPREDICTABLE)));

  private final Vertx vertx = Vertx.vertx();

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  /** Service of one server; executes a call when the test says so. */
  private static final class Steps implements RpcService {

    final AtomicInteger sets = new AtomicInteger();
    final Promise<Void> gate = Promise.promise();
    final List<Promise<XdrEncoder>> never = new CopyOnWriteArrayList<>();

    @Override
    public UpperLayerBinding binding() {
      return BINDING;
    }

    @Override
    public Future<XdrEncoder> handle(RpcCall call) {
      if (call.procedure() == SET) {
        sets.incrementAndGet();
        return gate.future().map(done -> XdrEncoder.VOID);
      }
      Promise<XdrEncoder> promise = Promise.promise();
      never.add(promise);
      return promise.future();
    }
  }

  private static Future<Void> call(RpcCaller caller, int procedure) {
    return caller.call(RpcRequest.to(BINDING, procedure).build());
  }

  private static SocketAddress address(RpcServer server) {
    return SocketAddress.inetSocketAddress(server.actualPort(), RpcBed.HOST);
  }

  private RpcServer listen(RpcServer server) {
    Waiting.await(server.listen(SocketAddress.inetSocketAddress(0, RpcBed.HOST)));
    return server;
  }

  /** Executes a call once, keeps its reply from the client, and has the server full when the call comes again. */
  private Throwable repeatedAtFullServer(Steps service, RpcServer first, CuttingProxy proxy, RpcChannel channel,
      BlockingQueue<RpcConnection> accepted) {
    Future<Void> call = call(channel, SET);
    Waiting.until(() -> service.sets.get() == 1);
    proxy.refuse(source -> true);
    Waiting.await(Waiting.next(accepted).closeFuture());
    service.gate.complete();
    Waiting.await(first.snapshot());
    RpcChannel other = RpcClient.create(vertx, new RpcClientOptions().setProvider("siw")
        .setDrainTimeout(Duration.ofMillis(300))).channel(address(first));
    call(other, NEVER);
    Waiting.until(() -> service.never.size() == 1);
    proxy.refuse(source -> false);
    return Waiting.outcome(call);
  }

  private RpcServerOptions full() {
    return new RpcServerOptions().setProvider("siw").setMaxExecutions(1).setForwardCredits(4)
        .setDrainTimeout(Duration.ofMillis(300));
  }

  private RpcClientOptions reconnecting() {
    return new RpcClientOptions().setProvider("siw").setReconnectAttempts(0)
        .setReconnectDelay(Duration.ofMillis(20)).setMaxReconnectDelay(Duration.ofMillis(50))
        .setDrainTimeout(Duration.ofMillis(300));
  }

  /** Fails if {@code OutboundCall.unsuccessful} takes any overload for a call that was not executed. */
  @Test
  @DisplayName("A repetition that an overloaded server refuses may have been executed the first time")
  void overloadedRepetitionMayHaveBeenExecuted() {
    Steps service = new Steps();
    BlockingQueue<RpcConnection> accepted = new LinkedBlockingQueue<>();
    RpcServer server = listen(RpcServer.create(vertx, full()).bind(service).connectionHandler(accepted::add));
    CuttingProxy proxy = new CuttingProxy(vertx, address(server));
    Waiting.await(proxy.start());
    RpcChannel channel = RpcClient.create(vertx, reconnecting()).channel(proxy.address());
    Throwable failure = repeatedAtFullServer(service, server, proxy, channel, accepted);
    assertThat(service.sets).hasValue(1);
    assertThat(failure).isInstanceOfSatisfying(RpcException.class,
        e -> assertThat(e.maybeExecuted()).as(e.toString()).isTrue());
    service.never.forEach(each -> each.tryComplete(XdrEncoder.VOID));
    Waiting.await(proxy.close());
  }

  /** Fails by the same. */
  @Test
  @DisplayName("A repetition that an overloaded server refuses goes to no other server")
  void overloadedRepetitionStaysAtItsServer() {
    Steps service = new Steps();
    Steps elsewhere = new Steps();
    elsewhere.gate.complete();
    BlockingQueue<RpcConnection> accepted = new LinkedBlockingQueue<>();
    RpcServer server = listen(RpcServer.create(vertx, full()).bind(service).connectionHandler(accepted::add));
    RpcServer second = listen(RpcServer.create(vertx, full()).bind(elsewhere));
    CuttingProxy proxy = new CuttingProxy(vertx, address(server));
    Waiting.await(proxy.start());
    List<SocketAddress> both = List.of(proxy.address(), address(second));
    AddressResolver<?> resolver = AddressResolver.mappingResolver(name -> both);
    RpcChannel channel = RpcClient.builder(vertx).with(reconnecting()).withAddressResolver(resolver)
        .withLoadBalancer(LoadBalancer.FIRST).build().channel(new ServerGroup.Name("both"));
    Throwable failure = repeatedAtFullServer(service, server, proxy, channel, accepted);
    assertThat(service.sets).hasValue(1);
    assertThat(elsewhere.sets).as("executed at the other server, which knows nothing of the first; outcome " + failure)
        .hasValue(0);
    service.never.forEach(each -> each.tryComplete(XdrEncoder.VOID));
    Waiting.await(proxy.close());
  }

  /** Fails if {@code Dispatcher.dispatchIfServed} does not look. */
  @Test
  @DisplayName("A call that waits for room is not given to a service that was unbound meanwhile")
  void unboundWhileItWaitsForRoom() {
    unboundWhileItWaitsForRoom(server -> { });
  }

  /** Fails if {@code Dispatcher.dispatchIfServed} does not ask which service the program has. */
  @Test
  @DisplayName("The same, if the program has another service by then, whose rule has not been asked")
  void reboundWhileItWaitsForRoom() {
    Steps other = new Steps();
    unboundWhileItWaitsForRoom(server -> server.bind(other));
    assertThat(other.never).isEmpty();
  }

  private void unboundWhileItWaitsForRoom(Consumer<RpcServer> meanwhile) {
    Steps service = new Steps();
    RpcServer server = listen(RpcServer.create(vertx, new RpcServerOptions().setMaxPendingReplyBytes(128 << 10)
        .setDrainTimeout(Duration.ofMillis(300))).bind(service));
    RpcClient client = RpcClient.create(vertx, new RpcClientOptions().setDrainTimeout(Duration.ofMillis(300)));
    call(client.channel(address(server)), LONG);
    call(client.channel(address(server)), LONG);
    Waiting.until(() -> service.never.size() == 2);
    Future<Void> third = call(client.channel(address(server)), LONG);
    Waiting.until(() -> Waiting.await(server.snapshot()).pendingReplies().callsWaiting() == 1);
    server.unbind(BINDING);
    meanwhile.accept(server);
    service.never.forEach(each -> each.tryComplete(XdrEncoder.VOID));
    Waiting.until(() -> service.never.size() == 3 || third.isComplete());
    assertThat(service.never).as("given to a service that was unbound").hasSize(2);
  }
}
