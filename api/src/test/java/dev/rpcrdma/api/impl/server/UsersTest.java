// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcConnectException;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcRejectedException;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.api.RpcStatusException;
import dev.rpcrdma.api.RpcUser;
import dev.rpcrdma.api.ServiceInterceptor;
import dev.rpcrdma.api.fixture.RawClient;
import dev.rpcrdma.api.fixture.RpcBed;
import dev.rpcrdma.protocol.binding.ProcedureBinding;
import dev.rpcrdma.protocol.binding.ReplyBound;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.oncrpc.AuthStatus;
import dev.rpcrdma.protocol.oncrpc.AuthSys;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.testkit.VerbsBed;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.verbs.DeviceOptions;
import dev.rpcrdma.verbs.VerbsProviders;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.SocketAddress;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who calls: what a client says of itself, what a service sees of it, and what it is refused with. */
class UsersTest {

  private static final UpperLayerBinding BINDING = new UpperLayerBinding("Desk", 0x20060093, 1, OptionalInt.empty(),
      Map.of(1, new ProcedureBinding("ask", 0, 0, ReplyBound.of(0))));
  private static final AuthSys ALICE = new AuthSys(7, "desk", 1000, 100, List.of(100, 27));

  /** Header of RPC-over-RDMA of a short message, without chunks. */
  private static final String SHORT = "00000007 00000001 00000020 00000000 00000000 00000000 00000000";

  private final Vertx vertx = Vertx.vertx();
  private final BlockingQueue<Optional<RpcUser>> seen = new LinkedBlockingQueue<>();
  private final BlockingQueue<RpcConnection> connections = new LinkedBlockingQueue<>();
  private final AtomicInteger verified = new AtomicInteger();
  private Function<RpcCall, Future<XdrEncoder>> answer = call -> Future.succeededFuture(XdrEncoder.VOID);
  private RpcServer server;

  private final RpcService desk = new RpcService() {
    @Override
    public UpperLayerBinding binding() {
      return BINDING;
    }

    @Override
    public Future<XdrEncoder> handle(RpcCall call) {
      seen.add(call.user());
      return answer.apply(call);
    }
  };

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  private void serve(RpcServer.RpcServerBuilder builder) {
    server = builder.build().bind(desk).connectionHandler(connections::add);
    Waiting.await(server.listen(SocketAddress.inetSocketAddress(0, RpcBed.HOST)));
  }

  private RpcChannel channel(RpcClient.RpcClientBuilder builder) {
    return builder.build().channel(SocketAddress.inetSocketAddress(server.actualPort(), RpcBed.HOST));
  }

  private RpcChannel channel(RpcClientOptions options) {
    return channel(RpcClient.builder(vertx).with(options));
  }

  private static RpcRequest<Void> ask() {
    return RpcRequest.to(BINDING, 1).build();
  }

  private static RpcRequest<Void> askAs(OpaqueAuth credentials) {
    return RpcRequest.to(BINDING, 1).options(CallOptions.DEFAULT.withCredentials(credentials)).build();
  }

  private void assertRefused(Future<?> call, AuthStatus status) {
    assertThat(Waiting.awaitFailure(call)).isInstanceOfSatisfying(RpcRejectedException.class,
        e -> assertThat(e.authStatus()).contains(status));
  }

  @Test
  @DisplayName("R-239: options say who calls, in each direction for itself, and a call may say otherwise")
  void defaults() {
    AuthSys bob = new AuthSys(0, "server", 1001, 101, List.of());
    serve(RpcServer.builder(vertx).with(new RpcServerOptions().setCredentials(bob.toAuth())));
    RpcChannel channel = channel(new RpcClientOptions().setCredentials(ALICE.toAuth())).bind(desk);
    Waiting.await(channel.call(ask()));
    assertThat(Waiting.next(seen)).contains(new RpcUser("uid:1000", new JsonObject().put("uid", 1000L)
        .put("gid", 100L).put("gids", new JsonArray().add(100L).add(27L)).put("machine", "desk"), Optional.empty(),
        RpcUser.Proof.NONE));
    Waiting.await(channel.call(askAs(OpaqueAuth.NONE)));
    assertThat(Waiting.next(seen)).isEmpty();
    RpcConnection accepted = Waiting.next(connections);
    Waiting.await(accepted.call(ask()));
    assertThat(Waiting.next(seen)).hasValueSatisfying(user -> assertThat(user.name()).isEqualTo("uid:1001"));
    Waiting.await(accepted.peer().call(ask()));
    assertThat(Waiting.next(seen)).hasValueSatisfying(user -> assertThat(user.name()).isEqualTo("uid:1001"));
    Waiting.await(Waiting.await(channel.connect()).call(ask()));
    assertThat(Waiting.next(seen)).hasValueSatisfying(user -> assertThat(user.name()).isEqualTo("uid:1000"));
  }

  @Test
  @DisplayName("Credentials have a JSON form of their own, and any flavor has one")
  void json() {
    RpcClientOptions options = new RpcClientOptions().setCredentials(ALICE.toAuth());
    JsonObject json = options.toJson().getJsonObject("credentials");
    assertThat(json.encode())
        .isEqualTo("{\"machine\":\"desk\",\"uid\":1000,\"gid\":100,\"gids\":[100,27],\"stamp\":7}");
    assertThat(new RpcClientOptions(options).getCredentials()).isEqualTo(ALICE.toAuth());
    OpaqueAuth other = new OpaqueAuth(0x80000000, new byte[] {1, 2});
    assertThat(new RpcClientOptions(new RpcClientOptions().setCredentials(other)).getCredentials()).isEqualTo(other);
    OpaqueAuth broken = new OpaqueAuth(1, new byte[] {1, 2});
    assertThat(new RpcClientOptions(new RpcClientOptions().setCredentials(broken)).getCredentials())
        .isEqualTo(broken);
    for (Object wrong : List.of(1, new JsonObject(), new JsonObject().put("user", "me"),
        new JsonObject().put("machine", "desk").put("gid", 1), new JsonObject().put("uid", -1),
        new JsonObject().put("uid", "1000"), new JsonObject().put("uid", 1L << 32),
        new JsonObject().put("uid", 1).put("gids", 7), new JsonObject().put("flavor", 7).put("body", 1234),
        new JsonObject().put("flavor", 7).putNull("body"), new JsonObject().put("flavor", 1).put("body", "not base 64"),
        new JsonObject().put("uid", 1).put("machine", "m".repeat(256)),
        new JsonObject().put("uid", 1).put("gids", new JsonArray(Collections.nCopies(17, 1))))) {
      assertThatThrownBy(() -> new RpcClientOptions(new JsonObject().put("credentials", wrong)))
          .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("credentials is an object with machine");
    }
  }

  @ParameterizedTest
  @EnumSource(value = AuthStatus.class, mode = EnumSource.Mode.EXCLUDE, names = "OK")
  @DisplayName("A service can refuse who calls with each auth status")
  void everyAuthStatus(AuthStatus status) {
    serve(RpcServer.builder(vertx));
    answer = call -> Future.failedFuture(new RpcStatusException(status, "on purpose"));
    assertRefused(channel(new RpcClientOptions()).call(ask()), status);
  }

  @Test
  @DisplayName("R-239: a client's service refuses the server's calls just so")
  void refusedInReverse() {
    serve(RpcServer.builder(vertx));
    answer = call -> Future.failedFuture(new RpcStatusException(AuthStatus.TOOWEAK, "on purpose"));
    Waiting.await(channel(new RpcClientOptions()).bind(desk).connect());
    assertRefused(Waiting.next(connections).call(ask()), AuthStatus.TOOWEAK);
  }

  @Test
  @DisplayName("Calls of nobody are refused where users are required")
  void required() {
    serve(RpcServer.builder(vertx).addServiceInterceptor(ServiceInterceptor.requireUser()));
    assertRefused(channel(new RpcClientOptions()).call(ask()), AuthStatus.TOOWEAK);
    assertThat(seen).isEmpty();
    Waiting.await(channel(new RpcClientOptions().setCredentials(ALICE.toAuth())).call(ask()));
  }

  @Test
  @DisplayName("Users that nothing proves are refused where a proof is required")
  void proof() {
    serve(RpcServer.builder(vertx).addServiceInterceptor(ServiceInterceptor.requireProvenUser())
        .withTokens((token, connection) -> verify(token)));
    assertRefused(channel(new RpcClientOptions().setCredentials(ALICE.toAuth())).call(ask()), AuthStatus.TOOWEAK);
    assertRefused(channel(new RpcClientOptions()).call(ask()), AuthStatus.TOOWEAK);
    Waiting.await(withToken("alice").call(ask()));
    assertThat(Waiting.next(seen)).map(RpcUser::proof).contains(RpcUser.Proof.TOKEN);
  }

  // Tokens

  private Future<RpcUser> verify(String token) {
    verified.incrementAndGet();
    return switch (token) {
      case "alice" -> Future.succeededFuture(
          new RpcUser("alice", new JsonObject().put("role", "clerk"), Optional.empty()));
      case "short" -> Future.succeededFuture(
          new RpcUser("short", new JsonObject(), Optional.of(Duration.ofMillis(1))));
      case "throw" -> throw new IllegalStateException("on purpose");
      case "nothing" -> null;
      default -> Future.failedFuture(new IllegalArgumentException("no such token"));
    };
  }

  private RpcChannel withToken(String token) {
    return channel(RpcClient.builder(vertx).withToken(() -> Future.succeededFuture(token)));
  }

  private void serveTokens() {
    serve(RpcServer.builder(vertx).withTokens((token, connection) -> verify(token)));
  }

  @Test
  @DisplayName("A token is verified once for each connection, and its user known with each call")
  void token() {
    serveTokens();
    RpcChannel channel = withToken("alice");
    for (int i = 0; i < 5; i++) {
      Waiting.await(channel.call(ask()));
      assertThat(Waiting.next(seen)).hasValueSatisfying(user -> {
        assertThat(user.name()).isEqualTo("alice");
        assertThat(user.attributes()).isEqualTo(new JsonObject().put("role", "clerk"));
      });
    }
    assertThat(verified).hasValue(1);
    Waiting.await(Waiting.await(channel.connect()).shutdown(Duration.ZERO));
    Waiting.await(channel.call(ask()));
    assertThat(Waiting.next(seen)).isPresent();
    assertThat(verified).hasValue(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"eve", "throw", "nothing"})
  @DisplayName("A token that is refused, or whose verifier fails, fails the connection, and says so")
  void refusedToken(String token) {
    serveTokens();
    Throwable failure = Waiting.awaitFailure(withToken(token).call(ask()));
    assertThat(failure).isInstanceOf(RpcConnectException.class);
    assertThat(failure.getMessage()).contains("refuses the token", "BADCRED");
    assertThat(seen).isEmpty();
  }

  @Test
  @DisplayName("A server that takes no tokens says so")
  void noTokens() {
    serve(RpcServer.builder(vertx));
    assertThat(Waiting.awaitFailure(withToken("alice").call(ask()))).isInstanceOf(RpcConnectException.class)
        .hasMessageContaining("takes no tokens");
  }

  @Test
  @DisplayName("A token that cannot be had fails the connection with the reason")
  void noToken() {
    serveTokens();
    RpcChannel channel = channel(RpcClient.builder(vertx)
        .withToken(() -> Future.failedFuture(new IllegalStateException("no token today"))));
    assertThat(Waiting.awaitFailure(channel.call(ask()))).isInstanceOf(RpcConnectException.class)
        .hasMessageContaining("no token today");
  }

  @Test
  @DisplayName("A handle is good for the client that it was given to, and for as long as was said")
  void handles() {
    serveTokens();
    RpcChannel alice = withToken("alice");
    OpaqueAuth[] handle = new OpaqueAuth[1];
    answer = call -> {
      handle[0] = call.credentials();
      return Future.succeededFuture(XdrEncoder.VOID);
    };
    Waiting.await(alice.call(ask()));
    assertThat(handle[0].body()).hasSize(16);
    assertRefused(channel(new RpcClientOptions()).call(askAs(handle[0])), AuthStatus.REJECTEDCRED);
    byte[] guessed = handle[0].body();
    guessed[15]++;
    assertRefused(alice.call(askAs(new OpaqueAuth(handle[0].flavor(), guessed))), AuthStatus.REJECTEDCRED);
    assertThat(seen).hasSize(1);
    // Its time is over before it can be used.
    RpcChannel late = withToken("short");
    Waiting.await(late.connect());
    Waiting.await(vertx.timer(5));
    int before = verified.get();
    // The next handle has no longer time, which may be enough or not.
    Waiting.outcome(late.call(ask()));
    assertThat(verified.get()).as("exchanged once more").isGreaterThan(before);
  }

  /** Fails if {@code ClientPeer.arrives} gives the connections of foreign clients the handles of their host. */
  @Test
  @DisplayName("Of two foreign clients of one host each has handles of its own")
  void handlesOfForeignClients() {
    serveTokens();
    try (VerbsBed verbs = new VerbsBed(VerbsProviders.named("siw"), DeviceOptions.DEFAULT)) {
      SocketAddress address = SocketAddress.inetSocketAddress(server.actualPort(), RpcBed.HOST);
      RawClient first = new RawClient(verbs, address);
      RawClient second = new RawClient(verbs, address);
      first.send(SHORT + "00000007 00000000 00000002 2006f000 00000001 00000002 00000000 00000000 00000000 00000000"
          + "00000005 616c6963 65000000");
      String exchanged = first.answer();
      String handle = exchanged.substring(exchanged.length() - 44, exchanged.length() - 9);
      String call = SHORT + "00000007 00000000 00000002 20060093 00000001 00000001 2006f005 00000010" + handle
          + "00000000 00000000";
      second.send(call);
      assertThat(second.answer()).as("AUTH_REJECTEDCRED").endsWith("00000001 00000001 00000001 00000002");
      first.receive();
      first.send(call.replace("00000007", "00000008"));
      assertThat(first.answer()).endsWith("00000008 00000001 00000000 00000000 00000000 00000000");
    }
    assertThat(seen).hasSize(1);
  }

  @Test
  @DisplayName("A token is exchanged anew before its time is over")
  void renewed() {
    serveTokens();
    Waiting.await(withToken("short").connect());
    Waiting.until(() -> verified.get() >= 2);
  }

  @Test
  @DisplayName("A token that could not be renewed is exchanged later")
  void renewedLater() {
    serve(RpcServer.builder(vertx).withTokens((token, connection) -> verified.incrementAndGet() == 2
        ? Future.failedFuture("not now")
        : Future.succeededFuture(new RpcUser("short", new JsonObject(), Optional.of(Duration.ofMillis(1))))));
    Waiting.await(withToken("any").connect());
    Waiting.until(() -> verified.get() >= 3);
  }
}
