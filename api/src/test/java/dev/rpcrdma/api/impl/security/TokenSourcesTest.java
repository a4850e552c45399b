// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.security;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.Cancellation;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcClosedException;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcRejectedException;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.RpcUser;
import dev.rpcrdma.api.TokenVerifier;
import dev.rpcrdma.api.fixture.EchoService;
import dev.rpcrdma.api.fixture.RpcBed;
import dev.rpcrdma.api.impl.connection.ControlProgram;
import dev.rpcrdma.protocol.oncrpc.AuthStatus;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.testkit.LoggedMessages;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.testkit.fabric.MemoryFabric;
import dev.rpcrdma.testkit.fabric.MemoryProvider;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Sources of tokens that fail, throw, answer late, or never. */
class TokenSourcesTest {

  private final Vertx vertx = Vertx.vertx();
  private final AtomicInteger asked = new AtomicInteger();

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  /** A server whose handles are good for so long. */
  private RpcChannel channel(Duration good, Duration toConnect, Supplier<Future<String>> source) {
    RpcServer server = RpcServer.builder(vertx)
        .with(new RpcServerOptions().setProvider(MemoryProvider.NAME).setDrainTimeout(Duration.ofMillis(500)))
        .withTokens((token, connection) ->
            Future.succeededFuture(new RpcUser(token, new JsonObject(), Optional.of(good))))
        .build().bind(new EchoService());
    Waiting.await(server.listen(SocketAddress.inetSocketAddress(0, RpcBed.HOST)));
    return RpcClient.builder(vertx).with(new RpcClientOptions().setProvider(MemoryProvider.NAME)
            .setDrainTimeout(Duration.ofMillis(500)).setConnectTimeout(toConnect))
        .withToken(source).build()
        .channel(SocketAddress.inetSocketAddress(server.actualPort(), RpcBed.HOST));
  }

  private Future<String> silence() {
    asked.incrementAndGet();
    return Promise.<String>promise().future();
  }

  @Test
  @DisplayName("A source that never answers fails the connection in time")
  void silent() {
    RpcChannel channel = channel(Duration.ofMinutes(1), Duration.ofMillis(200), this::silence);
    assertThat(Waiting.awaitFailure(channel.connect())).hasStackTraceContaining("has not answered within 200 ms");
  }

  /** Fails if {@code TokenHandle.complete} takes any text: the server is said to take no tokens then. */
  @Test
  @DisplayName("A token that is too long fails the connection, which says so")
  void tooLong() {
    RpcChannel channel = channel(Duration.ofMinutes(1), Duration.ofSeconds(20),
        () -> Future.succeededFuture("a".repeat(65_537)));
    assertThat(Waiting.awaitFailure(channel.connect())).hasStackTraceContaining(
        "token is at most 65,536 bytes of UTF-8, without half of a surrogate pair, not what is there");
  }

  @Test
  @DisplayName("A channel whose source does not answer is closed at once")
  void closedMeanwhile() {
    RpcChannel channel = channel(Duration.ofMinutes(1), Duration.ofDays(1), this::silence);
    Future<RpcConnection> connecting = channel.connect();
    Waiting.until(() -> asked.get() > 0);
    Waiting.await(channel.close());
    assertThat(Waiting.awaitFailure(connecting)).isInstanceOf(RpcClosedException.class);
  }

  @Test
  @DisplayName("Vert.x is closed while a source does not answer")
  void vertxClosedMeanwhile() {
    channel(Duration.ofMinutes(1), Duration.ofDays(1), this::silence).connect();
    Waiting.until(() -> asked.get() > 0);
  }

  /** Fails if {@code TokenHandle.token} catches less, or does not look at null. */
  @Test
  @DisplayName("A renewal that fails in whatever way is tried again")
  void triedAgain() {
    List<Supplier<Future<String>>> failures = List.of(() -> Future.failedFuture("Not now"), () -> null,
        () -> Future.succeededFuture(null), () -> {
          throw new IllegalStateException("Not now");
        }, () -> {
          throw new NoClassDefFoundError("Not now");
        });
    List<AtomicInteger> counts = failures.stream().map(failure -> {
      AtomicInteger count = new AtomicInteger();
      Waiting.await(channel(Duration.ofSeconds(1), Duration.ofSeconds(20),
          () -> count.incrementAndGet() == 2 ? failure.get() : Future.succeededFuture("alice")).connect());
      return count;
    }).toList();
    // The first, the one that fails, its repetition, and the next renewal.
    counts.forEach(count -> Waiting.until(() -> count.get() >= 4));
  }

  /** Fails if {@code TokenHandle.use} leaves {@code failing} as it is. */
  @Test
  @DisplayName("Each series of renewals that fail is logged, once")
  void logged() {
    try (LoggedMessages log = new LoggedMessages("dev.rpcrdma.api.impl.client.TokenHandle")) {
      Waiting.await(channel(Duration.ofSeconds(1), Duration.ofSeconds(20), () ->
          List.of(2, 3, 5).contains(asked.incrementAndGet()) ? Future.failedFuture("Not now")
              : Future.succeededFuture("alice")).connect());
      Waiting.until(() -> asked.get() > 5);
      assertThat(log.all()).hasSize(2).allSatisfy(message -> assertThat(message).contains("could not be renewed"));
    }
  }

  /** Fails if {@code TokenHandle.renewAfter} does not look at the connection. */
  @Test
  @DisplayName("What comes late of an earlier connection does not end the renewal of the next one")
  void late() {
    Promise<String> late = Promise.promise();
    RpcChannel channel = channel(Duration.ofSeconds(2), Duration.ofSeconds(20),
        () -> asked.incrementAndGet() == 2 ? late.future() : Future.succeededFuture("alice"));
    RpcConnection first = Waiting.await(channel.connect());
    Waiting.until(() -> asked.get() == 2);
    Waiting.await(first.shutdown(Duration.ZERO));
    Waiting.await(channel.connect());
    assertThat(asked).hasValue(3);
    late.complete("alice");
    Waiting.until(() -> asked.get() > 3);
  }

  /** Fails if {@code TokenHandle.notGiven} does not look at the connection. */
  @Test
  @DisplayName("What comes late of an earlier connection does not fail calls that wait over the next one")
  void lateForCalls() {
    Promise<String> ofFirst = Promise.promise();
    Promise<String> ofSecond = Promise.promise();
    List<Future<String>> answers = List.of(Future.succeededFuture("alice"), ofFirst.future(),
        Future.succeededFuture("alice"), ofSecond.future());
    RpcChannel channel = channel(Duration.ofNanos(1), Duration.ofSeconds(20),
        () -> answers.get(Math.min(asked.getAndIncrement(), answers.size() - 1)));
    RpcConnection first = Waiting.await(channel.connect());
    Future<?> lost = first.call(EchoService.echo(new byte[1]));
    Waiting.until(() -> asked.get() == 2);
    Waiting.await(first.shutdown(Duration.ZERO));
    Waiting.awaitFailure(lost);
    RpcConnection second = Waiting.await(channel.connect());
    Future<?> waiting = second.call(EchoService.echo(new byte[1]));
    Waiting.until(() -> asked.get() == 4);
    ofFirst.fail("Too late");
    ofSecond.fail("On purpose");
    assertThat(Waiting.awaitFailure(waiting)).hasMessageContaining("On purpose");
  }

  /** Fails if {@code Dispatcher} begins exchanges without a bound, or counts announcements among them. */
  @Test
  @DisplayName("A peer that gives tokens up has as many judged at a time as it has credits; others connect")
  void judgedForNobody() {
    AtomicInteger judged = new AtomicInteger();
    RpcServer server = RpcServer.builder(vertx)
        .with(new RpcServerOptions().setProvider(MemoryProvider.NAME).setDrainTimeout(Duration.ofMillis(500))
            .setForwardCredits(4).setMaxExecutions(4))
        .withTokens((token, connection) -> {
          judged.incrementAndGet();
          return Promise.<RpcUser>promise().future();
        }).build().bind(new EchoService());
    Waiting.await(server.listen(SocketAddress.inetSocketAddress(0, RpcBed.HOST)));
    RpcConnection connection = connectTo(server);
    for (int i = 1; i <= 20; i++) {
      int count = i;
      Cancellation cancellation = Cancellation.create();
      Future<?> exchange = connection.call(ControlProgram.exchange("mallory", Duration.ofSeconds(20))
          .withOptions(CallOptions.DEFAULT.withCancellation(cancellation)));
      Waiting.until(() -> judged.get() == count || exchange.isComplete());
      cancellation.cancel();
      Waiting.awaitFailure(exchange);
    }
    assertThat(judged).hasValue(4);
    Waiting.await(connection.call(EchoService.echo(new byte[1])));
    Waiting.await(connectTo(server).call(EchoService.echo(new byte[1])));
  }

  /** Fails if {@code Attempt.outdated} does not look whether the call has credentials of its own. */
  @Test
  @DisplayName("A call whose own credentials are refused has no token exchanged, and is not made again")
  void ownCredentials() {
    AtomicInteger asked = new AtomicInteger();
    RpcServer server = RpcServer.builder(vertx)
        .with(new RpcServerOptions().setProvider(MemoryProvider.NAME).setDrainTimeout(Duration.ofMillis(300)))
        .withTokens((token, connection) -> Future.succeededFuture(new RpcUser(token))).build().bind(new EchoService());
    Waiting.await(server.listen(SocketAddress.inetSocketAddress(0, RpcBed.HOST)));
    RpcConnection connection = Waiting.await(RpcClient.builder(vertx)
        .with(new RpcClientOptions().setProvider(MemoryProvider.NAME).setDrainTimeout(Duration.ofMillis(300)))
        .withToken(() -> {
          asked.incrementAndGet();
          return Future.succeededFuture("alice");
        }).build().channel(SocketAddress.inetSocketAddress(server.actualPort(), RpcBed.HOST)).connect());
    long before = Waiting.await(connection.snapshot()).calls().sent();
    RpcRequest<?> echo = EchoService.echo(new byte[1]);
    Future<?> call = connection.call(echo.withOptions(
        echo.options().withCredentials(new OpaqueAuth(0x20061111, new byte[4]))));
    assertThat(Waiting.awaitFailure(call)).isInstanceOfSatisfying(RpcRejectedException.class,
        e -> assertThat(e.authStatus()).contains(AuthStatus.REJECTEDCRED));
    assertThat(Waiting.await(connection.snapshot()).calls().sent()).isEqualTo(before + 1);
    assertThat(asked).hasValue(1);
  }

  /** Fails if {@code Requester.needs} says no: the exchange was refused, and the call with it. */
  @Test
  @DisplayName("A call whose handle is over finishes over a connection that is being closed, by another handle")
  void refusedWhileConnectionIsClosed() {
    AtomicInteger given = new AtomicInteger();
    RpcServer server = RpcServer.builder(vertx)
        .with(new RpcServerOptions().setProvider(MemoryProvider.NAME).setDrainTimeout(Duration.ofSeconds(10)))
        .withTokens((token, judging) -> Future.succeededFuture(new RpcUser(token, new JsonObject(),
            given.incrementAndGet() == 1 ? Optional.of(Duration.ofNanos(1)) : Optional.empty())))
        .build().bind(new EchoService());
    Waiting.await(server.listen(SocketAddress.inetSocketAddress(0, RpcBed.HOST)));
    RpcChannel channel = RpcClient.builder(vertx)
        .with(new RpcClientOptions().setProvider(MemoryProvider.NAME).setDrainTimeout(Duration.ofMillis(500)))
        .withToken(() -> Future.succeededFuture("alice")).build()
        .channel(SocketAddress.inetSocketAddress(server.actualPort(), RpcBed.HOST));
    RpcConnection connection = Waiting.await(channel.connect());
    MemoryFabric fabric = MemoryFabric.of(vertx);
    fabric.partition();
    Future<?> call = channel.call(EchoService.echo(new byte[1]));
    Waiting.until(() -> Waiting.await(connection.snapshot()).calls().pending() == 1);
    connection.shutdown(Duration.ofSeconds(15));
    Waiting.await(connection.snapshot());
    fabric.heal();
    assertThat(Waiting.outcome(call)).isNull();
  }

  /** Connects another client, which has no token. */
  private RpcConnection connectTo(RpcServer server) {
    return Waiting.await(RpcClient.builder(vertx)
        .with(new RpcClientOptions().setProvider(MemoryProvider.NAME).setDrainTimeout(Duration.ofMillis(500))).build()
        .channel(SocketAddress.inetSocketAddress(server.actualPort(), RpcBed.HOST)).connect());
  }

  private Throwable connect(Duration serviceTimeout, TokenVerifier verifier) {
    RpcServer server = RpcServer.builder(vertx)
        .with(new RpcServerOptions().setProvider(MemoryProvider.NAME).setDrainTimeout(Duration.ofMillis(500))
            .setServiceTimeout(serviceTimeout))
        .withTokens(verifier).build().bind(new EchoService());
    Waiting.await(server.listen(SocketAddress.inetSocketAddress(0, RpcBed.HOST)));
    return Waiting.awaitFailure(RpcClient.builder(vertx).with(new RpcClientOptions().setProvider(MemoryProvider.NAME)
            .setDrainTimeout(Duration.ofMillis(500)))
        .withToken(() -> Future.succeededFuture("alice")).build()
        .channel(SocketAddress.inetSocketAddress(server.actualPort(), RpcBed.HOST)).connect());
  }

  /** Fails if {@code ControlProgram.verified} lets null pass: from another thread there is no answer. */
  @Test
  @DisplayName("A verifier that fails, throws, or gives no user refuses the token, on whatever thread")
  void refused() {
    List<TokenVerifier> verifiers = List.of((token, connection) -> Future.failedFuture("Not now"),
        (token, connection) -> null, (token, connection) -> Future.succeededFuture(null), (token, connection) -> {
          throw new IllegalStateException("Not now");
        }, (token, connection) -> vertx.executeBlocking(() -> null));
    assertThat(verifiers).allSatisfy(verifier -> assertThat(connect(Duration.ofMinutes(1), verifier))
        .hasStackTraceContaining("refuses the token (BADCRED)"));
  }

  /** Fails if {@code TokenHandle.refused} takes each rejection for the want of a verifier. */
  @Test
  @DisplayName("A verifier that is too slow is said to be, and not to be missing")
  void slowVerifier() {
    assertThat(connect(Duration.ofMillis(100), (token, connection) -> Promise.<RpcUser>promise().future()))
        .hasStackTraceContaining("could not judge the token: its verifier has failed, or has not answered");
  }
}
