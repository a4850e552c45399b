// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.eventbus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.Cancellation;
import dev.rpcrdma.api.Payload;
import dev.rpcrdma.api.RpcCancelledException;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcClosedException;
import dev.rpcrdma.api.RpcConnectException;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcRejectedException;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.service.fixture.Errands;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import io.vertx.serviceproxy.ServiceException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Calls to clients through the node that has them: all of a call and of its outcome passes. */
class ClusterRelayTest {

  private static final String CLIENT = "client";
  private static final int MOST = 10;

  private final Vertx vertx = Vertx.vertx();
  private final Vertx outside = Vertx.vertx();
  private final ErrandBoy boy = new ErrandBoy();
  /** Channels to clients, in the order in which they were opened. */
  private final List<EventBusChannel> opened = new ArrayList<>();
  private final ClusterClients clients = new ClusterClients(vertx, MOST, address -> {
    EventBusChannel channel = EventBusChannel.create(vertx, address);
    opened.add(channel);
    return channel;
  }).calling(Errands.class);

  @BeforeEach
  void connect() {
    BlockingQueue<RpcConnection> accepted = new LinkedBlockingQueue<>();
    RpcServer server = RpcServer.create(vertx).connectionHandler(accepted::add);
    Waiting.await(server.listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
    RpcClientOptions patient = new RpcClientOptions().setServiceTimeout(Duration.ofMinutes(10));
    Waiting.await(RpcClient.create(outside, patient)
        .channel(SocketAddress.inetSocketAddress(server.actualPort(), "127.0.0.1"))
        .bind(Errands.class, boy).connect());
    Waiting.await(clients.connected(CLIENT, Waiting.next(accepted)));
  }

  @AfterEach
  void close() {
    Waiting.await(outside.close());
    Waiting.await(vertx.close());
  }

  private Errands errands(CallOptions options) {
    return clients.peer(CLIENT).proxy(Errands.class, options);
  }

  private <T> T onContext(Supplier<Future<T>> call) {
    Promise<T> promise = Promise.promise();
    vertx.runOnContext(go -> call.get().onComplete(promise));
    return Waiting.await(promise.future());
  }

  /** Fails if {@code Relay} makes its call with options that lack the headers. */
  @Test
  @DisplayName("Headers reach the client")
  void headers() {
    assertThat(Waiting.await(errands(CallOptions.DEFAULT.withHeader("tenant", "blue")).look("headers")))
        .isEqualTo("{tenant=blue}");
  }

  /** Fails if {@code ClusterClients} registers clients with the timeout of services. */
  @Test
  @DisplayName("A client has as long as its caller waits, if it takes as long itself")
  void timeout() {
    String millis = Waiting.await(errands(CallOptions.DEFAULT.withTimeout(Duration.ofMinutes(5))).look("millis"));
    assertThat(Long.parseLong(millis)).isGreaterThan(Duration.ofMinutes(4).toMillis());
  }

  /** Fails if {@code Relay} does not try again without the token, or leaves out all headers. */
  @Test
  @DisplayName("A token that a client's connection has no room for does not pass, unlike other headers")
  void longToken() {
    EventBusChannel channel = EventBusChannel.create(vertx, "rpcrdma:client:" + CLIENT).setToken("t".repeat(2000));
    assertThat(Waiting.await(channel.proxy(Errands.class, CallOptions.DEFAULT.withHeader("tenant", "blue"))
        .look("headers"))).isEqualTo("{tenant=blue}");
  }

  /** Fails if {@code Relay} reserves room for the results without their data items. */
  @Test
  @DisplayName("Payloads pass in both directions, into targets, too")
  void payloads() {
    for (int length : new int[] {0, 100, 300_000}) {
      Payload target = Payload.allocate(vertx, length);
      Payload filled = onContext(() -> errands(CallOptions.DEFAULT).fill(length, target));
      assertThat(filled.length()).isEqualTo(length);
      assertThat(onContext(() -> errands(CallOptions.DEFAULT).sum(target))).isEqualTo(length);
      Payload same = onContext(() -> errands(CallOptions.DEFAULT).same(target));
      assertThat(same.toBuffer()).isEqualTo(target.toBuffer());
    }
  }

  /** Fails if {@code Relay.status} is not asked. */
  @Test
  @DisplayName("The status that a client chooses arrives, and so does a failure with a code")
  void failures() {
    assertThat(Waiting.awaitFailure(errands(CallOptions.DEFAULT).fail("status")))
        .isInstanceOfSatisfying(RpcRejectedException.class,
            e -> assertThat(e.acceptStatus()).contains(AcceptStatus.PROC_UNAVAIL));
    assertThat(Waiting.awaitFailure(errands(CallOptions.DEFAULT).fail("service"))).isInstanceOfSatisfying(
        ServiceException.class, e -> assertThat(e.failureCode()).isEqualTo(7));
  }

  /** Fails if {@code ClusterClients.closeIdle} closes a channel with a call, or none, or keeps a closed one. */
  @Test
  @DisplayName("Channels are closed when there are many, those without calls alone")
  void manyClients() {
    // Before its first reply a client grants one credit.
    Waiting.await(errands(CallOptions.DEFAULT).echo(""));
    Cancellation cancellation = Cancellation.create();
    Future<Void> slow = errands(CallOptions.DEFAULT.withCancellation(cancellation)).never();
    assertThat(Waiting.next(boy.heard)).isEqualTo("begun");
    for (int i = 0; i < MOST; i++) {
      Waiting.awaitFailure(clients.peer("nobody " + i).proxy(Errands.class).echo(""));
    }
    assertThat(opened).hasSize(MOST + 1);
    assertThat(Waiting.await(errands(CallOptions.DEFAULT).echo("same channel"))).isEqualTo("same channel");
    assertThat(opened).hasSize(MOST + 1);
    assertThat(Waiting.awaitFailure(opened.get(1).proxy(Errands.class).echo("")))
        .isInstanceOf(RpcClosedException.class);
    assertThat(Waiting.awaitFailure(opened.get(2).proxy(Errands.class).echo("")))
        .isNotInstanceOf(RpcClosedException.class);
    assertThat(Waiting.awaitFailure(clients.peer("nobody 0").proxy(Errands.class).echo("")))
        .isInstanceOf(RpcConnectException.class);
    assertThat(opened).hasSize(MOST + 2);
    assertThat(slow.isComplete()).isFalse();
    cancellation.cancel();
    assertThat(Waiting.awaitFailure(slow)).isInstanceOf(RpcCancelledException.class);
  }
}
