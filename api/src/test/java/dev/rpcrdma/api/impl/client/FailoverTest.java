// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.Cancellation;
import dev.rpcrdma.api.Payload;
import dev.rpcrdma.api.RpcCancelledException;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcConnectException;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcEncodingException;
import dev.rpcrdma.api.RpcException;
import dev.rpcrdma.api.RpcRejectedException;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcTimeoutException;
import dev.rpcrdma.api.fixture.EchoService;
import dev.rpcrdma.api.fixture.RpcBed;
import dev.rpcrdma.api.fixture.ServerGroup;
import dev.rpcrdma.protocol.binding.Replay;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.testkit.fabric.MemoryFabric;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.net.endpoint.LoadBalancer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Which calls go to another server, and which do not. */
class FailoverTest {

  private static final SocketAddress NOBODY_ELSE = SocketAddress.inetSocketAddress(2, RpcBed.HOST);

  private final ServerGroup group = new ServerGroup();
  private ServerGroup.Member first;
  private ServerGroup.Member second;

  @BeforeEach
  void open() {
    group.clientOptions.setReconnectAttempts(2).setReconnectDelay(Duration.ofMillis(1))
        .setMaxReconnectDelay(Duration.ofMillis(20));
    group.start(2);
    first = group.members.get(0);
    second = group.members.get(1);
  }

  @AfterEach
  void close() {
    group.close();
  }

  private RpcChannel channel() {
    return group.channel(LoadBalancer.FIRST);
  }

  private static void end(ServerGroup.Member member) {
    Waiting.await(member.server.shutdown(Duration.ZERO));
  }

  /** A call that the first server executes and does not answer. */
  private Future<Buffer> held(RpcChannel channel, RpcRequest<Buffer> request) {
    int before = first.ledger.size();
    first.ledger.hold();
    Future<Buffer> call = channel.call(request);
    Waiting.until(() -> first.ledger.size() > before);
    return call;
  }

  @Test
  @DisplayName("A call that cannot be sent goes to another server, and to each once")
  void notSent() {
    group.listed = List.of(ServerGroup.NOBODY, NOBODY_ELSE, ServerGroup.NOBODY, second.address());
    RpcChannel channel = channel();
    Waiting.await(channel.call(ServerGroup.add(1)));
    assertThat(second.ledger.executions(1)).isEqualTo(1);
    group.listed = List.of(ServerGroup.NOBODY, NOBODY_ELSE, ServerGroup.NOBODY);
    assertThat(Waiting.awaitFailure(channel.call(ServerGroup.add(3))))
        .isInstanceOfSatisfying(RpcConnectException.class, e -> {
          assertThat(e.maybeExecuted()).isFalse();
          assertThat(e.getSuppressed()).hasSize(1);
        });
  }

  @Test
  @DisplayName("connect() goes to another server, too, and tells why if there is none")
  void connect() {
    group.listed = List.of(ServerGroup.NOBODY, second.address());
    RpcChannel channel = channel();
    assertThat(Waiting.await(channel.connect()).remoteAddress()).isEqualTo(second.address());
    group.listed = List.of(ServerGroup.NOBODY);
    assertThat(Waiting.awaitFailure(channel.connect())).isInstanceOf(RpcConnectException.class)
        .hasMessageContaining(ServerGroup.NOBODY.toString());
  }

  /** Fails if {@code RoutedTask.suppressLast} does not look what there is already. */
  @Test
  @DisplayName("Those who wait for the same connection hear once what became of the server before")
  void connectTogether() {
    group.listed = List.of(ServerGroup.NOBODY, NOBODY_ELSE);
    RpcChannel channel = channel();
    List<Future<RpcConnection>> all = new CopyOnWriteArrayList<>();
    group.vertx.runOnContext(started -> {
      for (int i = 0; i < 5; i++) {
        all.add(channel.connect());
      }
    });
    Waiting.until(() -> all.size() == 5);
    all.forEach(each -> assertThat(Waiting.awaitFailure(each).getSuppressed()).hasSize(1));
  }

  /** Its server ends while it has the call, which is not made again. */
  private void assertFailsWithItsServer(RpcRequest<Buffer> request) {
    Future<Buffer> call = held(channel(), request);
    end(first);
    assertThat(Waiting.awaitFailure(call)).isInstanceOfSatisfying(RpcException.class,
        e -> assertThat(e.maybeExecuted()).isTrue());
    assertThat(second.ledger.size()).isZero();
  }

  /** Fails if {@code Failover.mayGoOn} does not ask whether the call may have been executed. */
  @Test
  @DisplayName("A call that was sent and may not be repeated fails, and says that it may have been executed")
  void sent() {
    assertFailsWithItsServer(ServerGroup.add(1));
  }

  @Test
  @DisplayName("A call that only looks goes to another server when its connection is lost, though it was sent")
  void readOnly() {
    Future<Buffer> call = held(channel(), ServerGroup.look(1));
    end(first);
    Waiting.await(call);
    assertThat(first.ledger.executions(1)).isEqualTo(1);
    assertThat(second.ledger.executions(1)).isEqualTo(1);
  }

  @Test
  @DisplayName("It does not, if nothing is to be sent again")
  void neverAgain() {
    group.clientOptions.setReplay(Replay.NEVER);
    assertFailsWithItsServer(ServerGroup.look(1));
  }

  /** Fails if {@code RoutedTask.fail} forgets what the servers before may have done. */
  @Test
  @DisplayName("A call that only looks, and finds no other server, says that the first may have executed it")
  void readOnlyWithoutOthers() {
    group.listed = List.of(first.address(), ServerGroup.NOBODY);
    Future<Buffer> call = held(channel(), ServerGroup.look(1));
    end(first);
    assertThat(Waiting.awaitFailure(call)).isInstanceOfSatisfying(RpcConnectException.class,
        e -> {
          assertThat(e.maybeExecuted()).isTrue();
          assertThat(e.getSuppressed()).hasSize(1).hasOnlyElementsOfType(RpcConnectException.class);
        });
  }

  @Test
  @DisplayName("Calls that wait for a credit go to another server when their connection is lost; the one that had it"
      + " does not")
  void waitingForACredit() {
    group.clientOptions.setForwardCredits(1);
    RpcChannel channel = channel();
    Future<Buffer> sent = held(channel, ServerGroup.add(1));
    List<Future<Buffer>> waiting = new ArrayList<>();
    for (int i = 3; i < 20; i += 2) {
      waiting.add(channel.call(ServerGroup.add(i)));
    }
    Waiting.await(channel.snapshot());
    end(first);
    assertThat(Waiting.awaitFailure(sent)).isInstanceOfSatisfying(RpcException.class,
        e -> assertThat(e.maybeExecuted()).isTrue());
    Waiting.await(Future.all(waiting));
    assertThat(first.ledger.size()).isEqualTo(1);
    assertThat(second.ledger.size()).isEqualTo(waiting.size());
  }

  @Test
  @DisplayName("What a server answers is no reason to ask another one; neither is a timeout, nor what cannot be sent")
  void answers() {
    RpcChannel channel = channel();
    assertThat(Waiting.awaitFailure(channel.call(EchoService.call(EchoService.STATUS))))
        .isInstanceOf(RpcRejectedException.class);
    assertThat(Waiting.awaitFailure(channel.call(RpcRequest.to(7, 1, 0).build())))
        .isInstanceOf(RpcRejectedException.class);
    assertThat(Waiting.awaitFailure(channel.call(RpcRequest.to(EchoService.BINDING, EchoService.NEVER)
        .options(CallOptions.DEFAULT.withTimeout(Duration.ofMillis(20))).build())))
        .isInstanceOf(RpcTimeoutException.class);
    assertThat(Waiting.awaitFailure(channel.call(RpcRequest.to(EchoService.BINDING, EchoService.ECHO)
        .arguments(writer -> {
          throw new IllegalStateException("on purpose");
        }).build()))).isInstanceOf(RpcEncodingException.class);
    assertThat(second.accepted).isEmpty();
  }

  /** Fails if {@code ClientCall.attempt} gives each attempt the whole timeout. */
  @Test
  @DisplayName("All servers together have the time of the call")
  void timeout() {
    RpcChannel channel = channel();
    Waiting.await(channel.call(ServerGroup.add(1)));
    second.ledger.hold();
    Duration timeout = Duration.ofSeconds(2);
    long began = System.nanoTime();
    RpcRequest<Buffer> look = ServerGroup.look(3);
    Future<Buffer> call = held(channel, look.withOptions(look.options().withTimeout(timeout)));
    Waiting.await(group.vertx.timer(1_000));
    end(first);
    Waiting.until(() -> second.ledger.executions(3) == 1);
    assertThat(Waiting.awaitFailure(call)).isInstanceOfSatisfying(RpcTimeoutException.class,
        e -> assertThat(e.maybeExecuted()).isTrue());
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isBetween(timeout, Duration.ofMillis(2_800));
  }

  @Test
  @DisplayName("A call is cancelled with whatever server it is")
  void cancelled() {
    RpcChannel channel = channel();
    Cancellation cancellation = Cancellation.create();
    second.ledger.hold();
    RpcRequest<Buffer> look = ServerGroup.look(1);
    Future<Buffer> call = held(channel, look.withOptions(look.options().withCancellation(cancellation)));
    end(first);
    Waiting.until(() -> second.ledger.executions(1) == 1);
    cancellation.cancel();
    assertThat(Waiting.awaitFailure(call)).isInstanceOf(RpcCancelledException.class);
    assertThat(Waiting.awaitFailure(channel.call(look.withOptions(look.options().withCancellation(cancellation)))))
        .isInstanceOfSatisfying(RpcCancelledException.class, e -> assertThat(e.maybeExecuted()).isFalse());
  }

  /** Fails if {@code ClientCall} does not keep an owner of what was lent, or encodes for each server. */
  @Test
  @DisplayName("Arguments are encoded once, before the call returns; what was lent may be released then")
  void payloads() {
    group.listed = List.of(ServerGroup.NOBODY, second.address());
    RpcChannel channel = channel();
    byte[] bytes = new byte[50_000];
    bytes[7] = 7;
    AtomicInteger encoded = new AtomicInteger();
    Payload argument = Payload.copyOf(group.vertx, Buffer.buffer(bytes));
    Payload target = Payload.allocate(group.vertx, bytes.length);
    Future<Payload> placed = channel.call(RpcRequest.to(EchoService.BINDING, EchoService.ECHO_PLACED)
        .arguments(writer -> {
          encoded.incrementAndGet();
          writer.dataItem(argument);
        }).placedResult(target).results(reader -> (Payload) reader.dataItem(100_000).retain()).build());
    argument.release();
    target.release();
    Payload result = Waiting.await(placed);
    assertThat(result.toBuffer()).isEqualTo(Buffer.buffer(bytes));
    result.release();
    byte[] plain = {1, 2, 3};
    Future<Buffer> echo = group.client.channel(ServerGroup.ADDRESS).call(EchoService.echo(plain));
    plain[0] = 9;
    assertThat(Waiting.await(echo)).isEqualTo(Buffer.buffer(new byte[] {1, 2, 3}));
    assertThat(encoded).hasValue(1);
  }

  @Test
  @DisplayName("What was lent is given back when no server can be reached, and a payload that was released is not sent")
  void payloadsGivenBack() {
    group.listed = List.of(ServerGroup.NOBODY, NOBODY_ELSE);
    RpcChannel channel = channel();
    Payload argument = Payload.allocate(group.vertx, 10_000);
    Waiting.awaitFailure(channel.call(EchoService.echoPlaced(argument)));
    argument.release();
    assertThat(argument.tryRetain()).isFalse();
    assertThat(Waiting.awaitFailure(channel.call(EchoService.echoPlaced(argument))))
        .isInstanceOf(RpcEncodingException.class);
  }

  @Test
  @DisplayName("A call whose connection is made again stays with its server, and is executed once")
  void reconnecting() {
    group.clientOptions.setReconnectAttempts(0).setReconnectDelay(Duration.ofMillis(5));
    RpcChannel channel = channel();
    Promise<Void> gate = first.ledger.hold();
    Future<Buffer> call = channel.call(ServerGroup.add(1));
    Waiting.until(() -> first.ledger.size() == 1);
    MemoryFabric fabric = MemoryFabric.of(group.vertx);
    fabric.refuse(1_000_000);
    fabric.cut();
    Waiting.until(() -> !Waiting.await(channel.snapshot()).connected());
    fabric.refuse(0);
    gate.complete();
    Waiting.await(call);
    assertThat(first.ledger.executions(1)).isEqualTo(1);
    assertThat(second.ledger.size()).isZero();
  }

  /** Fails if {@code ResolvedChannel.isUp} does not revive the server. */
  @Test
  @DisplayName("A server that cannot be reached is left out, and comes back when it can")
  void downAndUp() {
    RpcChannel channel = channel();
    Waiting.await(channel.call(ServerGroup.add(1)));
    SocketAddress address = first.address();
    end(first);
    for (int i = 3; i < 30; i += 2) {
      Waiting.await(channel.call(ServerGroup.add(i)));
    }
    assertThat(second.ledger.size()).isEqualTo(14);
    RpcServer again = RpcServer.builder(group.vertx).with(group.serverOptions).build().bind(first.ledger);
    Waiting.await(again.listen(address));
    AtomicInteger number = new AtomicInteger(101);
    Waiting.until(() -> {
      int next = number.getAndAdd(2);
      Waiting.await(channel.call(ServerGroup.add(next)));
      return first.ledger.executions(next) == 1;
    });
    Waiting.await(group.client.close());
    Waiting.await(again.close());
  }

  /** Fails if {@code ChannelServer} does not wait for what it was given. */
  @Test
  @DisplayName("A server that has left gets no new calls, and its channel ends when it has answered")
  void left() {
    // Closing alone would not wait for the answer.
    group.clientOptions.setDrainTimeout(Duration.ofMillis(1));
    RpcChannel channel = channel();
    Promise<Void> gate = first.ledger.hold();
    Future<Buffer> call = channel.call(ServerGroup.add(1));
    Waiting.until(() -> first.ledger.size() == 1);
    group.listed = List.of(second.address());
    Waiting.await(channel.call(ServerGroup.add(3)));
    assertThat(second.ledger.executions(3)).isEqualTo(1);
    Waiting.await(group.vertx.timer(50));
    assertThat(first.accepted.get(0).closeFuture().isComplete()).isFalse();
    gate.complete();
    Waiting.await(call);
    Waiting.await(first.accepted.get(0).closeFuture());
    Waiting.until(() -> Waiting.await(channel.snapshot()).parts().size() == 1);
  }

  /** Fails if {@code ChannelServer.stay} does not take back what {@code leave} did. */
  @Test
  @DisplayName("A server that comes back while it still has calls keeps its connection")
  void leftAndBack() {
    RpcChannel channel = channel();
    Promise<Void> gate = first.ledger.hold();
    Future<Buffer> call = channel.call(ServerGroup.add(1));
    Waiting.until(() -> first.ledger.size() == 1);
    group.listed = List.of(second.address());
    Waiting.await(channel.call(ServerGroup.add(3)));
    group.listAll();
    Future<Buffer> again = channel.call(ServerGroup.add(5));
    gate.complete();
    Waiting.await(call);
    Waiting.await(again);
    Waiting.await(channel.call(ServerGroup.add(7)));
    assertThat(first.ledger.size()).isEqualTo(3);
    assertThat(first.accepted).hasSize(1);
  }

  @Test
  @DisplayName("A server that has left is noticed also if nobody calls")
  void leftWithoutCalls() {
    RpcChannel channel = channel();
    Waiting.await(channel.call(ServerGroup.add(1)));
    group.listed = List.of(second.address());
    Waiting.await(first.accepted.get(0).closeFuture());
  }

  /** Fails if {@code ChannelMachine.failed} does not ask whether there are other servers. */
  @Test
  @DisplayName("Calls that may go to another server do not wait until a dead one is given up; others do")
  void doNotWait() {
    group.clientOptions.setReconnectAttempts(10).setReconnectDelay(Duration.ofMinutes(1))
        .setMaxReconnectDelay(Duration.ofMinutes(1));
    group.start(2);
    ServerGroup.Member first = group.members.get(0);
    RpcChannel channel = group.channel(LoadBalancer.FIRST);
    first.ledger.hold();
    Future<Buffer> looks = channel.call(ServerGroup.look(1));
    Future<Buffer> adds = channel.call(ServerGroup.add(3));
    Waiting.until(() -> first.ledger.size() == 2);
    MemoryFabric fabric = MemoryFabric.of(group.vertx);
    fabric.refuse(1);
    fabric.cut();
    Waiting.await(looks);
    Waiting.await(channel.call(ServerGroup.add(5)));
    assertThat(adds.isComplete()).isFalse();
    assertThat(group.members.get(1).ledger.executions(3)).isZero();
  }
}
