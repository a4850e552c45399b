// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcConnectException;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcException;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcTimeoutException;
import dev.rpcrdma.api.fixture.EchoService;
import dev.rpcrdma.api.fixture.RpcBed;
import dev.rpcrdma.api.fixture.ServerGroup;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.AddressResolver;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.net.endpoint.LoadBalancer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers that are silent, replaced, or without an address, and addresses that cannot say what they are. */
@Timeout(60)
class DiscoveryFaultsTest {

  private final ServerGroup group = new ServerGroup();

  @AfterEach
  void close() {
    group.close();
  }

  // connect()

  /** Takes connections, and answers nothing. */
  private static ServerSocket silence() throws IOException {
    return new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  }

  private static SocketAddress address(ServerSocket socket) {
    return SocketAddress.inetSocketAddress(socket.getLocalPort(), RpcBed.HOST);
  }

  private void overTcp() {
    group.serverOptions.setProvider("siw");
    group.clientOptions.setProvider("siw").setConnectTimeout(Duration.ofMillis(300));
  }

  /** Fails if {@code RoutedTask.resolved} takes the time of the attempts for the time of the wait. */
  @Test
  @DisplayName("connect() goes on from a silent server to another one")
  void connectGoesOnFromSilentServer() throws IOException {
    overTcp();
    try (ServerSocket silent = silence()) {
      group.start(1);
      group.listed = List.of(address(silent), group.members.get(0).address());
      RpcConnection made = Waiting.await(group.channel(LoadBalancer.FIRST).connect());
      assertThat(made.remoteAddress().port()).isEqualTo(group.members.get(0).address().port());
    }
  }

  @Test
  @DisplayName("connect() names the silent server if there is no other one")
  void connectTellsWhy() throws IOException {
    overTcp();
    try (ServerSocket silent = silence()) {
      group.listed = List.of(address(silent));
      assertThat(Waiting.awaitFailure(group.channel(LoadBalancer.FIRST).connect()))
          .isInstanceOf(RpcConnectException.class).hasMessageContaining(":" + silent.getLocalPort());
    }
  }

  /** Fails if {@code RoutedTask.waits} sets one timer, or {@code RoutedTask.fail} suppresses nothing. */
  @Test
  @DisplayName("connect() waits for the resolver a second time no longer than the first time")
  void connectWaitsTwice() throws IOException {
    overTcp();
    try (ServerSocket silent = silence()) {
      Promise<List<SocketAddress>> first = Promise.promise();
      AtomicInteger asked = new AtomicInteger();
      RpcChannel channel = group.channel(LoadBalancer.FIRST, ServerGroup.forgetfulResolver(
          () -> asked.getAndIncrement() == 0 ? first.future() : Promise.<List<SocketAddress>>promise().future(),
          () -> { }));
      Future<RpcConnection> connecting = channel.connect();
      group.vertx.setTimer(100, late -> first.complete(List.of(address(silent))));
      Throwable failure = Waiting.awaitFailure(connecting);
      assertThat(failure).isInstanceOf(RpcTimeoutException.class);
      assertThat(failure.getSuppressed()).hasSize(1).hasOnlyElementsOfType(RpcConnectException.class);
      assertThat(asked).hasValue(2);
    }
  }

  // Servers that are replaced

  /** Fails if {@code ResolvedChannel.listsOtherThan} counts what is listed. */
  @Test
  @DisplayName("Calls that wait for the only server go to the one that has replaced it")
  void replaced() {
    group.clientOptions.setReconnectAttempts(100_000).setReconnectDelay(Duration.ofMillis(10))
        .setMaxReconnectDelay(Duration.ofMillis(50)).setReconnectTimeout(Duration.ofMinutes(5));
    group.start(2);
    List<SocketAddress> both = group.listed;
    group.listed = both.subList(0, 1);
    RpcChannel channel = group.channel(LoadBalancer.FIRST);
    Waiting.await(channel.call(ServerGroup.add(1)));
    Waiting.await(group.members.get(0).server.close());
    Future<Buffer> call = channel.call(ServerGroup.add(3));
    group.listed = both.subList(1, 2);
    Waiting.await(call);
    assertThat(group.members.get(1).ledger.executions(3)).isEqualTo(1);
  }

  /** Fails if {@code ResolvedChannel.choose} does not look again when the server is there. */
  @Test
  @DisplayName("A server that leaves while it is chosen is closed after that call")
  void leavesWhileChosen() {
    group.start(2);
    List<SocketAddress> both = group.listed;
    group.listed = both.subList(0, 1);
    Promise<Void> choosing = Promise.promise();
    Promise<Void> goOn = Promise.promise();
    Promise<Buffer> late = Promise.promise();
    AtomicBoolean first = new AtomicBoolean(true);
    RpcChannel channel = group.channel(servers -> () -> {
      if (first.getAndSet(false)) {
        choosing.complete();
        Waiting.await(goOn.future());
      }
      return 0;
    });
    new Thread(() -> channel.call(ServerGroup.add(1)).onComplete(late), "slow").start();
    Waiting.await(choosing.future());
    group.listed = both.subList(1, 2);
    Waiting.await(channel.call(ServerGroup.add(3)));
    goOn.complete();
    Waiting.await(late.future());
    assertThat(group.members.get(0).ledger.executions(1)).isEqualTo(1);
    Waiting.until(() -> Waiting.await(channel.snapshot()).parts().stream()
        .allMatch(part -> part.address().equals(both.get(1))));
  }

  /** Fails if {@code ResolvedChannel.update} does not call {@code drained}. */
  @Test
  @DisplayName("A server that is listed anew drains the channel's full queue")
  void drainedByAnother() {
    group.start(2);
    List<SocketAddress> both = group.listed;
    group.listed = both.subList(0, 1);
    RpcChannel channel = group.channel(LoadBalancer.FIRST).setWriteQueueMaxSize(1);
    Future<?> held = channel.call(EchoService.call(EchoService.NEVER));
    Waiting.until(() -> !group.members.get(0).echo.never.isEmpty());
    CountDownLatch drained = new CountDownLatch(1);
    channel.drainHandler(any -> drained.countDown());
    assertThat(channel.writeQueueFull()).isTrue();
    group.listed = both;
    Waiting.await(drained);
    assertThat(channel.writeQueueFull()).isFalse();
    assertThat(held.isComplete()).isFalse();
  }

  // What resolvers and addresses do wrong

  /** Fails if {@code ServerList.Builder.addServer} takes it. */
  @Test
  @DisplayName("A server without an address fails the calls, with that reason, and nothing is thrown at the caller")
  void withoutAddress() {
    AddressResolver<ServerGroup.Name> resolver =
        AddressResolver.mappingResolver(name -> new ArrayList<>(Arrays.asList((SocketAddress) null)));
    RpcChannel channel = group.channel(LoadBalancer.FIRST, resolver);
    assertThat(Waiting.awaitFailure(channel.call(ServerGroup.add(1)))).isInstanceOf(RpcConnectException.class);
    assertThat(channel.writeQueueFull()).isFalse();
  }

  /** Fails if {@code RoutedTask} makes messages with the address's own words. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @DisplayName("Calls fail that wait for an address without words, whether its resolver fails or answers too late")
  void wordless(boolean answers) {
    Promise<List<SocketAddress>> answer = Promise.promise();
    AtomicInteger asked = new AtomicInteger();
    RpcChannel channel = wordless(ServerGroup.resolver(() -> asked.getAndIncrement() == 0 ? answer.future()
        : Future.failedFuture("down again")));
    Duration timeout = answers ? Duration.ofMinutes(1) : Duration.ofMillis(200);
    Future<Buffer> call = channel.call(timed(ServerGroup.add(1), timeout));
    Future<Buffer> next = channel.call(timed(ServerGroup.add(3), timeout));
    if (answers) {
      answer.fail("down");
    }
    Class<? extends RpcException> kind = answers ? RpcConnectException.class : RpcTimeoutException.class;
    assertThat(Waiting.awaitFailure(call)).isInstanceOf(kind).hasMessageContaining("Name");
    assertThat(Waiting.awaitFailure(next)).isInstanceOf(kind);
    if (answers) {
      assertThat(Waiting.awaitFailure(channel.call(ServerGroup.add(5)))).isInstanceOf(RpcConnectException.class);
    }
  }

  /** Fails if {@code ResolvedChannel.checked} lets what the address throws end the check. */
  @Test
  @DisplayName("Servers that leave an address without words are noticed, though its resolver has failed meanwhile")
  void wordlessChecks() {
    group.start(2);
    List<SocketAddress> both = group.listed;
    AtomicInteger failed = new AtomicInteger();
    AtomicBoolean down = new AtomicBoolean();
    RpcChannel channel = wordless(ServerGroup.forgetfulResolver(() -> {
      if (down.get()) {
        failed.incrementAndGet();
        throw new NoClassDefFoundError("down");
      }
      return Future.succeededFuture(group.listed);
    }, () -> { }));
    Waiting.await(channel.call(ServerGroup.add(1)));
    down.set(true);
    Waiting.until(() -> failed.get() > 1);
    group.listed = both.subList(1, 2);
    down.set(false);
    Waiting.until(() -> Waiting.await(channel.snapshot()).parts().isEmpty());
  }

  private RpcChannel wordless(AddressResolver<?> resolver) {
    group.channel(LoadBalancer.FIRST, resolver);
    return group.client.channel(new ServerGroup.Name(""));
  }

  private static <T> RpcRequest<T> timed(RpcRequest<T> request, Duration timeout) {
    return request.withOptions(request.options().withTimeout(timeout));
  }
}
