// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.api.CallInterceptor;
import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.Cancellation;
import dev.rpcrdma.api.ChannelSnapshot;
import dev.rpcrdma.api.Payload;
import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcCaller;
import dev.rpcrdma.api.RpcCancelledException;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClosedException;
import dev.rpcrdma.api.RpcConnectException;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcException;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.api.RpcStatistics;
import dev.rpcrdma.api.RpcTimeoutException;
import dev.rpcrdma.api.RpcTransportException;
import dev.rpcrdma.api.fixture.EchoService;
import dev.rpcrdma.api.fixture.LedgerService;
import dev.rpcrdma.api.fixture.RecordingService;
import dev.rpcrdma.api.fixture.RpcBed;
import dev.rpcrdma.api.fixture.ServerGroup;
import dev.rpcrdma.api.impl.call.CancellationWatch;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.Address;
import io.vertx.core.net.AddressResolver;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.net.endpoint.LoadBalancer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Channels to addresses: what happens before there is a server, and what is true of all servers together. */
class ResolvingTest {

  private final ServerGroup group = new ServerGroup();
  private final Promise<List<SocketAddress>> answer = Promise.promise();

  @AfterEach
  void close() {
    group.close();
  }

  /** A channel whose address is not resolved before {@link #answer} is complete. */
  private RpcChannel waiting() {
    return group.channel(LoadBalancer.FIRST, ServerGroup.resolver(answer::future));
  }

  private static <T> RpcRequest<T> with(RpcRequest<T> request, Cancellation cancellation) {
    return request.withOptions(request.options().withCancellation(cancellation));
  }

  @Test
  @DisplayName("An address that nobody takes is refused, with what to do; a SocketAddress that the resolver does not"
      + " take is connected to")
  void notTaken() {
    group.start(1);
    group.channel(LoadBalancer.FIRST, ServerGroup.resolver(answer::future));
    Waiting.await(group.client.channel(group.listed.get(0)).call(ServerGroup.add(1)));
    record Other() implements Address {}
    assertThatThrownBy(() -> group.client.channel(new Other())).isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("does not take it").hasMessageContaining("withAddressResolver");
    RpcClient plain = RpcClient.create(group.vertx, group.clientOptions);
    assertThatThrownBy(() -> plain.channel(ServerGroup.ADDRESS)).isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no address resolver").hasMessageContaining("withAddressResolver");
    Waiting.await(plain.close());
    assertThatThrownBy(() -> plain.channel(ServerGroup.NOBODY)).isInstanceOf(RpcClosedException.class);
  }

  @Test
  @DisplayName("Calls wait until the servers are known, and go in their order")
  void waits() {
    group.start(1);
    RpcChannel channel = waiting();
    List<Integer> served = new CopyOnWriteArrayList<>();
    List<Future<Buffer>> calls = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      int number = i;
      calls.add(channel.call(ServerGroup.keyed(EchoService.echo(new byte[] {(byte) i}), "key"))
          .onSuccess(echo -> served.add(number)));
    }
    assertThat(group.members.get(0).accepted).isEmpty();
    answer.complete(group.listed);
    Waiting.await(Future.all(calls));
    Waiting.until(() -> served.size() == 40);
    assertThat(served).isSorted();
  }

  /** Fails if {@code RoutedTask.waits} sets no timer. */
  @Test
  @DisplayName("A resolver that never answers has calls time out by their own timeouts, not executed")
  void neverAnswers() {
    RpcChannel channel = waiting();
    assertThat(Waiting.awaitFailure(channel.call(RpcRequest.to(EchoService.BINDING, EchoService.NEVER)
        .options(CallOptions.DEFAULT.withTimeout(Duration.ofMillis(20))).build())))
        .isInstanceOfSatisfying(RpcTimeoutException.class, e -> assertThat(e.maybeExecuted()).isFalse())
        .hasMessageContaining("group");
  }

  @Test
  @DisplayName("connect() does not wait for a resolver longer than for a connection")
  void connectTimeout() {
    group.clientOptions.setConnectTimeout(Duration.ofMillis(20));
    assertThat(Waiting.awaitFailure(waiting().connect())).isInstanceOf(RpcTimeoutException.class);
  }

  @Test
  @DisplayName("A call whose time is over when the servers are known is not sent")
  void timeIsResolved() {
    group.start(1);
    RpcChannel channel = waiting();
    Future<Void> call = channel.call(RpcRequest.to(EchoService.BINDING, EchoService.NEVER)
        .options(CallOptions.DEFAULT.withTimeout(Duration.ofSeconds(1))).build());
    Waiting.await(group.vertx.timer(500));
    long began = System.nanoTime();
    answer.complete(group.listed);
    assertThat(Waiting.awaitFailure(call)).isInstanceOf(RpcTimeoutException.class);
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofMillis(950));
  }

  /** Fails if {@code RoutedTask.waits} does not add itself to what can be cancelled. */
  @Test
  @DisplayName("A call is cancelled while the servers are not known, and what it lent is given back")
  void cancelled() {
    Payload argument = Payload.allocate(group.vertx, 10_000);
    Cancellation cancellation = Cancellation.create();
    RpcChannel channel = waiting();
    Future<Buffer> call = channel.call(with(EchoService.echoPlaced(argument), cancellation));
    assertThat(CancellationWatch.calls(cancellation)).isEqualTo(1);
    cancellation.cancel();
    assertThat(Waiting.awaitFailure(call)).isInstanceOfSatisfying(RpcCancelledException.class,
        e -> assertThat(e.maybeExecuted()).isFalse());
    assertThat(CancellationWatch.calls(cancellation)).isZero();
    argument.release();
    assertThat(argument.tryRetain()).isFalse();
  }

  @Test
  @DisplayName("A call that was not cancelled leaves nothing behind in its cancellation")
  void notCancelled() {
    group.start(1);
    Cancellation cancellation = Cancellation.create();
    RpcChannel channel = waiting();
    Future<Buffer> call = channel.call(with(ServerGroup.add(1), cancellation));
    answer.complete(group.listed);
    Waiting.await(call);
    assertThat(CancellationWatch.calls(cancellation)).isZero();
  }

  @Test
  @DisplayName("A channel that is closed has calls fail that wait for its servers, and any number of closes")
  void closed() {
    RpcChannel channel = waiting();
    Future<Buffer> call = channel.call(ServerGroup.add(1));
    Future<RpcConnection> connect = channel.connect();
    Waiting.await(channel.close());
    assertThat(Waiting.awaitFailure(call)).isInstanceOfSatisfying(RpcClosedException.class,
        e -> assertThat(e.maybeExecuted()).isFalse());
    assertThat(Waiting.awaitFailure(connect)).isInstanceOf(RpcClosedException.class);
    Waiting.await(channel.close());
    Waiting.await(channel.shutdown(Duration.ZERO));
    Waiting.await(channel.closeFuture());
    assertThat(Waiting.awaitFailure(channel.call(ServerGroup.add(3)))).isInstanceOf(RpcClosedException.class);
    answer.complete(List.of(ServerGroup.NOBODY));
  }

  @Test
  @DisplayName("Calls in flight with several servers finish when the channel is closed; others do not begin")
  void closedWithCalls() {
    group.start(2);
    RpcChannel channel = group.channel(LoadBalancer.ROUND_ROBIN);
    List<Future<Void>> calls = List.of(channel.call(EchoService.call(EchoService.NEVER)),
        channel.call(EchoService.call(EchoService.NEVER)));
    group.members.forEach(member -> Waiting.until(() -> member.echo.never.size() == 1));
    Future<Void> closed = group.client.close();
    assertThat(Waiting.awaitFailure(channel.call(ServerGroup.add(3)))).isInstanceOf(RpcClosedException.class);
    group.members.forEach(member -> member.echo.never.get(0).complete(XdrEncoder.VOID));
    Waiting.await(Future.all(calls));
    Waiting.await(closed);
  }

  @Test
  @DisplayName("A resolver that throws, fails, or answers nothing has the call fail, not executed; the next one asks"
      + " again")
  void failures() {
    group.start(1);
    AtomicInteger times = new AtomicInteger();
    IllegalStateException cause = new IllegalStateException("on purpose");
    RpcChannel channel = group.channel(LoadBalancer.ROUND_ROBIN, ServerGroup.resolver(() -> switch (
        times.incrementAndGet()) {
      case 1 -> throw cause;
      case 2 -> Future.failedFuture(cause);
      case 3 -> null;
      default -> Future.succeededFuture(group.listed);
    }));
    for (int i = 0; i < 3; i++) {
      assertThat(Waiting.awaitFailure(channel.call(ServerGroup.add(1))))
          .isInstanceOfSatisfying(RpcConnectException.class, e -> {
            assertThat(e.maybeExecuted()).isFalse();
            assertThat(e.getCause()).isNotNull();
          }).hasMessageContaining("group");
    }
    assertThat(Waiting.await(channel.snapshot()).lastFailure()).isPresent();
    Waiting.await(channel.call(ServerGroup.add(1)));
  }

  @Test
  @DisplayName("An address without servers has the call fail with its name; servers that are listed twice are one")
  void noneAndTwice() {
    group.start(1);
    List<SocketAddress> twice = List.of(group.listed.get(0), group.listed.get(0));
    group.listed = List.of();
    RpcChannel channel = group.channel(LoadBalancer.ROUND_ROBIN);
    assertThat(Waiting.awaitFailure(channel.call(ServerGroup.add(1)))).isInstanceOf(RpcConnectException.class)
        .hasMessageContaining("group").hasMessageContaining("no servers");
    assertThat(Waiting.awaitFailure(channel.connect())).isInstanceOf(RpcConnectException.class);
    assertThat(Waiting.await(channel.snapshot())).satisfies(snapshot -> {
      assertThat(snapshot.connected()).isFalse();
      assertThat(snapshot.lastFailure()).hasValueSatisfying(why -> assertThat(why).contains("no servers"));
    });
    group.listed = twice;
    Waiting.await(channel.call(ServerGroup.add(1)));
    Waiting.await(channel.call(ServerGroup.add(3)));
    assertThat(group.members.get(0).accepted).hasSize(1);
    assertThat(Waiting.await(channel.snapshot()).lastFailure()).isEmpty();
  }

  @Test
  @DisplayName("A function that does not know what to do with the address has the call fail with what it threw")
  void mapping() {
    RpcChannel channel = group.channel(LoadBalancer.ROUND_ROBIN, AddressResolver.mappingResolver(any -> {
      throw new IllegalStateException("on purpose");
    }));
    assertThat(Waiting.awaitFailure(channel.call(ServerGroup.add(1)))).isInstanceOf(RpcConnectException.class)
        .hasMessageContaining("on purpose");
  }

  @Test
  @DisplayName("No more calls wait for the servers than may; the channel is full before, and says when it is not")
  void bounds() {
    group.start(1);
    group.clientOptions.setMaxQueuedCalls(10);
    RpcChannel channel = waiting();
    CountDownLatch drained = new CountDownLatch(1);
    assertThat(channel.writeQueueFull()).isFalse();
    List<Future<Buffer>> calls = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      calls.add(channel.call(ServerGroup.add(i * 2 + 1)));
    }
    assertThat(channel.writeQueueFull()).isTrue();
    channel.drainHandler(any -> drained.countDown());
    assertThat(Waiting.awaitFailure(channel.call(ServerGroup.add(99)))).isInstanceOf(RpcTransportException.class)
        .hasMessageContaining("More than 10 calls");
    answer.complete(group.listed);
    Waiting.await(Future.all(calls));
    Waiting.await(drained);
    assertThat(channel.writeQueueFull()).isFalse();
  }

  @Test
  @DisplayName("The queue is full when those of all servers are")
  void full() {
    group.start(2);
    RpcChannel channel = group.channel(LoadBalancer.ROUND_ROBIN).setWriteQueueMaxSize(1);
    CountDownLatch drained = new CountDownLatch(1);
    channel.drainHandler(any -> drained.countDown());
    channel.call(EchoService.call(EchoService.NEVER));
    assertThat(channel.writeQueueFull()).isFalse();
    channel.call(EchoService.call(EchoService.NEVER));
    group.members.forEach(member -> Waiting.until(() -> member.echo.never.size() == 1));
    assertThat(channel.writeQueueFull()).isTrue();
    group.members.get(1).echo.never.get(0).complete(XdrEncoder.VOID);
    Waiting.await(drained);
    group.members.get(0).echo.never.get(0).complete(XdrEncoder.VOID);
    assertThatThrownBy(() -> channel.setWriteQueueMaxSize(0)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  @DisplayName("What is bound is served to all servers, those to come too")
  void reverse() {
    group.start(1);
    EchoService echo = new EchoService();
    LedgerService ledger = new LedgerService(group.vertx);
    RpcChannel channel = group.channel(LoadBalancer.ROUND_ROBIN).bind(echo);
    Waiting.await(channel.call(ServerGroup.add(1)));
    channel.bind(ledger);
    assertThatThrownBy(() -> channel.bind(ledger)).isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("The channel serves");
    group.start(1);
    Waiting.await(channel.call(ServerGroup.add(3)));
    Waiting.await(channel.call(ServerGroup.add(5)));
    long number = 101;
    for (ServerGroup.Member member : group.members) {
      RpcCaller client = member.accepted.get(0).peer();
      assertThat(Waiting.await(client.call(EchoService.echo(new byte[3]))).length()).isEqualTo(3);
      Waiting.await(client.call(ServerGroup.add(number += 2)));
    }
    assertThat(ledger.size()).isEqualTo(2);
  }

  @Test
  @DisplayName("Handlers hear of each connection; the snapshot has its parts, and their sums")
  void picture() {
    group.start(2);
    List<SocketAddress> up = new CopyOnWriteArrayList<>();
    List<RpcException> down = new CopyOnWriteArrayList<>();
    RpcChannel channel = group.channel(LoadBalancer.ROUND_ROBIN)
        .upHandler(connection -> up.add(connection.remoteAddress())).downHandler(down::add);
    assertThat(Waiting.await(channel.snapshot())).satisfies(snapshot -> {
      assertThat(snapshot.address()).isEqualTo(ServerGroup.ADDRESS);
      assertThat(snapshot.connected()).isFalse();
      assertThat(snapshot.parts()).isEmpty();
    });
    Waiting.await(channel.call(ServerGroup.add(1)));
    Waiting.await(channel.call(ServerGroup.add(3)));
    channel.call(EchoService.call(EchoService.NEVER));
    Waiting.until(() -> up.size() == 2);
    assertThat(up).containsExactlyInAnyOrderElementsOf(group.listed);
    assertThat(Waiting.await(channel.snapshot())).satisfies(snapshot -> {
      assertThat(snapshot.connected()).isTrue();
      assertThat(snapshot.connections()).isEqualTo(2);
      assertThat(snapshot.callsPending()).isEqualTo(1);
      assertThat(snapshot.provider()).contains("memory");
      assertThat(snapshot.parts()).extracting(ChannelSnapshot::address)
          .containsExactlyInAnyOrderElementsOf(group.listed);
    });
    Waiting.await(group.members.get(1).server.shutdown(Duration.ZERO));
    Waiting.until(() -> down.size() == 1);
    assertThat(Waiting.await(channel.snapshot())).satisfies(snapshot -> {
      assertThat(snapshot.connected()).isTrue();
      assertThat(snapshot.lastFailure()).isPresent();
    });
    Waiting.await(channel.shutdown(Duration.ZERO));
  }

  @Test
  @DisplayName("An interceptor hears of a call once, however many servers it goes to; statistics count each attempt")
  void interceptors() {
    group.start(1);
    AtomicInteger heard = new AtomicInteger();
    RpcStatistics statistics = RpcStatistics.create();
    group.client = RpcClient.builder(group.vertx).with(group.clientOptions).withStatistics(statistics)
        .withAddressResolver(ServerGroup.resolver(
            () -> Future.succeededFuture(List.of(ServerGroup.NOBODY, group.listed.get(0)))))
        .withLoadBalancer(LoadBalancer.FIRST).addCallInterceptor(new CallInterceptor() {
          @Override
          public <T> Future<T> call(RpcRequest<T> request, RpcCaller next) {
            heard.incrementAndGet();
            return next.call(request);
          }
        }).build();
    Waiting.await(group.client.channel(ServerGroup.ADDRESS).call(ServerGroup.add(1)));
    assertThat(heard).hasValue(1);
    assertThat(Waiting.await(statistics.snapshot()).procedures()).filteredOn(
        calls -> calls.procedure().equals("ADD")).singleElement().satisfies(calls -> {
          assertThat(calls.calls()).isEqualTo(2);
          assertThat(calls.failures()).isEqualTo(1);
        });
  }

  /** Fails if {@code Resolution.ask} does not look whether others wait. */
  @Test
  @DisplayName("A call that is made when the servers are known does not overtake those that have waited for them")
  void noOvertaking() {
    List<String> order = new CopyOnWriteArrayList<>();
    RpcServer server = RpcServer.builder(group.vertx).with(group.serverOptions).build()
        .bind(new RecordingService(order));
    Waiting.await(server.listen(SocketAddress.inetSocketAddress(0, RpcBed.HOST)));
    AtomicReference<RpcChannel> channel = new AtomicReference<>();
    Promise<Buffer> late = Promise.promise();
    AtomicInteger selections = new AtomicInteger();
    channel.set(group.channel(servers -> () -> {
      if (selections.getAndIncrement() == 0) {
        channel.get().call(EchoService.echo("late".getBytes())).onComplete(late);
      }
      return 0;
    }, ServerGroup.resolver(answer::future)));
    List<Future<Buffer>> calls = List.of(channel.get().call(EchoService.echo("first".getBytes())),
        channel.get().call(EchoService.echo("second".getBytes())));
    answer.complete(List.of(SocketAddress.inetSocketAddress(server.actualPort(), RpcBed.HOST)));
    Waiting.await(Future.all(calls));
    Waiting.await(late.future());
    assertThat(order).containsExactly("first", "second", "late");
    Waiting.await(server.close());
  }

  /** Fails if {@code Resolution.answer} does not say that nobody waits any more. */
  @Test
  @DisplayName("Calls of many threads, with answers that come at any time, are made once each")
  void manyThreads() throws InterruptedException {
    group.start(2);
    AtomicInteger resolutions = new AtomicInteger();
    RpcChannel channel = group.channel(LoadBalancer.RANDOM, ServerGroup.forgetfulResolver(
        () -> resolutions.incrementAndGet() % 2 == 0 ? Future.succeededFuture(group.listed)
            : group.vertx.executeBlocking(() -> group.listed, false), () -> { }));
    AtomicInteger rounds = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int thread = 0; thread < 4; thread++) {
      int first = thread * 1_000;
      threads.add(new Thread(() -> {
        for (int round = 0; round < 60; round++) {
          List<Future<Buffer>> calls = new ArrayList<>();
          for (int i = 0; i < 5; i++) {
            calls.add(channel.call(ServerGroup.add(first + round * 5 + i)));
          }
          Waiting.await(Future.all(calls));
          rounds.incrementAndGet();
        }
      }));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(rounds).hasValue(240);
    assertThat(group.members.get(0).ledger.size() + group.members.get(1).ledger.size()).isEqualTo(1_200);
  }

  /** Fails if {@code ClientCall} does not know what it is a part of. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @DisplayName("A call that a service makes is given up with the service's own, before and after its servers are known")
  void partOfAnother(boolean known) {
    group.start(1);
    RpcChannel inner = waiting();
    if (known) {
      answer.complete(group.listed);
    }
    List<Future<Void>> made = new CopyOnWriteArrayList<>();
    RpcServer outer = RpcServer.builder(group.vertx).with(group.serverOptions).build().bind(new RpcService() {
      @Override
      public UpperLayerBinding binding() {
        return EchoService.BINDING;
      }

      @Override
      public Future<XdrEncoder> handle(RpcCall call) {
        Future<Void> part = inner.call(EchoService.call(EchoService.NEVER));
        made.add(part);
        return part.map(any -> XdrEncoder.VOID);
      }
    });
    Waiting.await(outer.listen(SocketAddress.inetSocketAddress(0, RpcBed.HOST)));
    Cancellation cancellation = Cancellation.create();
    Future<Void> whole = group.client.channel(SocketAddress.inetSocketAddress(outer.actualPort(), RpcBed.HOST))
        .call(with(EchoService.call(EchoService.NEVER), cancellation));
    Waiting.until(() -> !made.isEmpty() && (!known || group.members.get(0).echo.never.size() == 1));
    cancellation.cancel();
    assertThat(Waiting.awaitFailure(whole)).isInstanceOf(RpcCancelledException.class);
    assertThat(Waiting.awaitFailure(made.get(0))).isInstanceOf(RpcCancelledException.class);
    Waiting.await(outer.close());
  }

  /** Fails if {@code RpcClientImpl.release} does not close the resolver. */
  @Test
  @DisplayName("A client that is closed has closed its resolver, and asks it nothing any more")
  void nothingOutlivesTheClient() {
    group.start(1);
    AtomicInteger asked = new AtomicInteger();
    RpcChannel channel = group.channel(LoadBalancer.FIRST, AddressResolver.mappingResolver(any -> {
      asked.incrementAndGet();
      return group.listed;
    }));
    Waiting.await(channel.call(ServerGroup.add(1)));
    int before = asked.get();
    Waiting.until(() -> asked.get() > before);
    AtomicInteger closed = new AtomicInteger();
    RpcClient other = RpcClient.builder(group.vertx).with(group.clientOptions).withAddressResolver(
        ServerGroup.forgetfulResolver(() -> Future.succeededFuture(group.listed), closed::incrementAndGet)).build();
    Waiting.await(other.close());
    Waiting.await(other.close());
    assertThat(closed).hasValue(1);
    Waiting.await(group.client.close());
    int atTheEnd = asked.get();
    Waiting.await(group.vertx.timer(1_200));
    assertThat(asked).hasValue(atTheEnd);
  }

  @Test
  @DisplayName("The outcome is heard on the caller's context")
  void contexts() {
    group.start(1);
    RpcChannel channel = waiting();
    Context context = group.vertx.getOrCreateContext();
    Promise<Boolean> same = Promise.promise();
    context.runOnContext(any -> channel.call(ServerGroup.add(1)).onComplete(
        done -> same.complete(Vertx.currentContext() == context)));
    group.vertx.runOnContext(any -> answer.complete(group.listed));
    assertThat(Waiting.await(same.future())).isTrue();
  }

  @Test
  @DisplayName("After the end of Vert.x calls fail at once")
  void endOfVertx() {
    group.start(1);
    Vertx vertx = Vertx.vertx();
    RpcClient client = RpcClient.builder(vertx).with(group.clientOptions)
        .withAddressResolver(ServerGroup.resolver(() -> Future.succeededFuture(List.of(ServerGroup.NOBODY))))
        .build();
    RpcChannel channel = client.channel(ServerGroup.ADDRESS);
    Waiting.awaitFailure(channel.call(ServerGroup.add(1)));
    Waiting.await(vertx.close());
    assertThat(Waiting.awaitFailure(channel.call(ServerGroup.add(3)))).isInstanceOf(RpcClosedException.class);
    assertThat(Waiting.awaitFailure(channel.connect())).isInstanceOf(RpcClosedException.class);
    assertThat(Waiting.awaitFailure(channel.snapshot())).isInstanceOf(RpcClosedException.class);
    Waiting.await(channel.close());
    Waiting.await(client.close());
  }
}
