// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcRejectedException;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcSecurityException;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.api.RpcUser;
import dev.rpcrdma.api.TokenVerifier;
import dev.rpcrdma.api.fixture.RpcBed;
import dev.rpcrdma.protocol.binding.ProcedureBinding;
import dev.rpcrdma.protocol.binding.ReplyBound;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.testkit.fabric.MemoryFabric;
import dev.rpcrdma.testkit.fabric.MemoryProvider;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A front of many users: each call has the token of the user for whom it is made. */
class CallTokensTest {

  private static final UpperLayerBinding BINDING = new UpperLayerBinding("Who", 0x2006009a, 1, OptionalInt.empty(),
      Map.of(1, new ProcedureBinding("am I", 0, 0, ReplyBound.of(400))));

  private final Vertx vertx = Vertx.vertx();
  private final AtomicInteger judged = new AtomicInteger();
  private Optional<Duration> validFor = Optional.empty();
  private Optional<String> own = Optional.empty();
  private int credits = 32;
  private TokenVerifier verifier = (token, connection) -> token.startsWith("bad") ? Future.failedFuture("It is bad")
      : Future.succeededFuture(new RpcUser("user of " + token, new JsonObject(), validFor));
  private RpcChannel channel;

  private static final class Who implements RpcService {

    @Override
    public UpperLayerBinding binding() {
      return BINDING;
    }

    @Override
    public Future<XdrEncoder> handle(RpcCall call) {
      byte[] name = call.user().map(RpcUser::name).orElse("nobody").getBytes(StandardCharsets.UTF_8);
      return Future.succeededFuture(writer -> writer.opaque(name));
    }
  }

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  private void open(boolean tokens) {
    RpcServer.RpcServerBuilder builder = RpcServer.builder(vertx)
        .with(new RpcServerOptions().setProvider(MemoryProvider.NAME).setDrainTimeout(Duration.ofMillis(500))
            .setForwardCredits(credits));
    if (tokens) {
      builder.withTokens((token, connection) -> {
        judged.incrementAndGet();
        return verifier.verify(token, connection);
      });
    }
    RpcServer server = builder.build().bind(new Who());
    Waiting.await(server.listen(SocketAddress.inetSocketAddress(0, RpcBed.HOST)));
    RpcClientOptions options = new RpcClientOptions().setProvider(MemoryProvider.NAME).setForwardCredits(credits)
        .setReconnectDelay(Duration.ofMillis(1)).setDrainTimeout(Duration.ofMillis(500));
    RpcClient.RpcClientBuilder client = RpcClient.builder(vertx).with(options);
    own.ifPresent(token -> client.withToken(() -> Future.succeededFuture(token)));
    channel = client.build().channel(SocketAddress.inetSocketAddress(server.actualPort(), RpcBed.HOST));
  }

  private Future<String> who(CallOptions options) {
    return channel.call(RpcRequest.to(BINDING, 1)
        .results(reader -> new String(reader.opaque(400), StandardCharsets.UTF_8)).options(options).build());
  }

  private static CallOptions token(String token) {
    return CallOptions.DEFAULT.withToken(token);
  }

  /** Fails if {@code Attempt.protector} does not ask for the call's token, or {@code CallTokens} keeps none. */
  @Test
  @DisplayName("Each call is made for whom its token names; a token is judged once for a connection")
  void ofEachCall() {
    open(true);
    List<Future<String>> calls = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      calls.add(who(i % 3 == 0 ? CallOptions.DEFAULT : token("a" + i % 3)));
    }
    Waiting.await(Future.all(calls));
    for (int i = 0; i < 100; i++) {
      assertThat(calls.get(i).result()).isEqualTo(i % 3 == 0 ? "nobody" : "user of a" + i % 3);
    }
    assertThat(judged).hasValue(2);
  }

  @Test
  @DisplayName("A token that is refused fails its calls, which are not executed, and no others; it is asked for again")
  void refused() {
    open(true);
    assertThat(Waiting.awaitFailure(who(token("bad")))).isInstanceOfSatisfying(RpcSecurityException.class, e -> {
      assertThat(e).hasMessageContaining("refuses the token (BADCRED)");
      assertThat(e.maybeExecuted()).isFalse();
    });
    verifier = (token, connection) -> Future.succeededFuture(new RpcUser("better", new JsonObject(), validFor));
    assertThat(Waiting.await(who(token("bad")))).isEqualTo("better");
    verifier = (token, connection) -> Promise.<RpcUser>promise().future();
    assertThat(Waiting.awaitFailure(who(token("slow").withTimeout(Duration.ofMillis(50)))))
        .isInstanceOf(RpcSecurityException.class).hasMessageContaining("has not judged the call's token");
    assertThat(Waiting.await(who(CallOptions.DEFAULT))).isEqualTo("nobody");
  }

  @Test
  @DisplayName("A server that takes no tokens is told of")
  void noTokens() {
    open(false);
    assertThat(Waiting.awaitFailure(who(token("a")))).isInstanceOf(RpcSecurityException.class)
        .hasMessageContaining("takes no tokens");
  }

  /** Fails if {@code CallTokens.Shown.outdated} says no. */
  @Test
  @DisplayName("A token is exchanged again when its handle or connection is over, or the server has too many")
  void again() {
    validFor = Optional.of(Duration.ofNanos(1));
    open(true);
    assertThat(Waiting.outcome(who(token("a")))).as("it is over at once").satisfiesAnyOf(
        e -> assertThat(e).isNull(), e -> assertThat(e).isInstanceOf(RpcRejectedException.class));
    validFor = Optional.empty();
    assertThat(Waiting.await(who(token("a")))).isEqualTo("user of a");
    int before = judged.get();
    assertThat(Waiting.await(who(token("a")))).isEqualTo("user of a");
    assertThat(judged).hasValue(before);
    MemoryFabric.of(vertx).cut();
    assertThat(Waiting.await(who(token("a")))).isEqualTo("user of a");
    assertThat(judged).hasValue(before + 1);
    for (int i = 0; i < 600; i++) {
      assertThat(Waiting.await(who(token("b" + i)))).isEqualTo("user of b" + i);
    }
    assertThat(Waiting.await(who(token("a")))).isEqualTo("user of a");
    assertThat(Waiting.await(who(token("b599")))).isEqualTo("user of b599");
    assertThat(judged).hasValue(before + 602);
  }

  /** Fails if {@code CallTokens.show} does not ask whether a handle's time is over. */
  @Test
  @DisplayName("A handle whose time is over is not shown: its token is exchanged before")
  void notShown() {
    validFor = Optional.of(Duration.ofSeconds(1));
    open(true);
    assertThat(Waiting.await(who(token("a")))).isEqualTo("user of a");
    long over = System.nanoTime() + Duration.ofSeconds(1).toNanos();
    RpcConnection connection = Waiting.await(channel.connect());
    long before = Waiting.await(connection.snapshot()).calls().sent();
    Waiting.until(() -> System.nanoTime() - over > 0);
    assertThat(Waiting.await(who(token("a")))).isEqualTo("user of a");
    assertThat(Waiting.await(connection.snapshot()).calls().sent())
        .as("the exchange and the call").isEqualTo(before + 2);
  }

  /** Fails if {@code CallTokens} keeps fewer handles than that, or lets calls use more than a server keeps. */
  @Test
  @DisplayName("Two hundred users are judged once each, and thousands at a time are all served")
  void manyUsers() {
    credits = 1024;
    open(true);
    for (int i = 0; i < 400; i++) {
      assertThat(Waiting.await(who(token("a" + i % 200)))).isEqualTo("user of a" + i % 200);
    }
    assertThat(judged).hasValue(200);
    List<Future<String>> calls = new ArrayList<>();
    for (int i = 0; i < 3000; i++) {
      calls.add(who(token("b" + i)));
    }
    Waiting.await(Future.all(calls));
    assertThat(calls.get(2999).result()).isEqualTo("user of b2999");
  }

  /** Fails if {@code OutboundCall.unsuccessful} does not ask the call, or {@code TokenHandle.of} gives nothing. */
  @Test
  @DisplayName("The client's own token is exchanged anew when the tokens of its calls have pushed its handle out")
  void ownToken() {
    own = Optional.of("owner");
    open(true);
    assertThat(Waiting.await(who(CallOptions.DEFAULT))).isEqualTo("user of owner");
    for (int i = 0; i < 600; i++) {
      Waiting.await(who(token("b" + i)));
    }
    int before = judged.get();
    List<Future<String>> calls = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      calls.add(who(CallOptions.DEFAULT));
    }
    Waiting.await(Future.all(calls));
    assertThat(calls).allSatisfy(call -> assertThat(call.result()).isEqualTo("user of owner"));
    assertThat(judged).hasValue(before + 1);
  }

  @Test
  @DisplayName("What is too long is no token, and no token is printed")
  void range() {
    assertThatThrownBy(() -> token("ä".repeat(32_769))).isInstanceOf(IllegalArgumentException.class)
        .hasMessage("token is at most 65,536 bytes of UTF-8, without half of a surrogate pair, not what is there");
    assertThat(token("secret").withTimeout(Duration.ofSeconds(1)).token()).contains("secret");
    assertThat(token("secret").withHeader("a", "b").token()).contains("secret");
    assertThatThrownBy(() -> token("a\ud800")).isInstanceOf(IllegalArgumentException.class);
    assertThat(token("secret").toString()).doesNotContain("secret").contains("\"token\":\"set\"");
  }
}
