// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.KerberosOptions;
import dev.rpcrdma.api.RpcAccess;
import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcConnectException;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcProtection;
import dev.rpcrdma.api.RpcRejectedException;
import dev.rpcrdma.api.RpcSecurityException;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.api.RpcStatusException;
import dev.rpcrdma.api.RpcUser;
import dev.rpcrdma.api.ServiceBinding;
import dev.rpcrdma.api.ServiceInterceptor;
import dev.rpcrdma.api.TokenVerifier;
import dev.rpcrdma.protocol.oncrpc.AuthStatus;
import dev.rpcrdma.protocol.oncrpc.AuthSys;
import dev.rpcrdma.service.fixture.OrderEvents;
import dev.rpcrdma.service.fixture.Orders;
import dev.rpcrdma.testkit.ManualPage;
import dev.rpcrdma.testkit.TestKeys;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.ServerSSLOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.ext.auth.User;
import io.vertx.ext.auth.authentication.AuthenticationProvider;
import io.vertx.ext.auth.authentication.TokenCredentials;
import io.vertx.ext.auth.authorization.Authorization;
import io.vertx.ext.auth.authorization.AuthorizationProvider;
import io.vertx.ext.auth.authorization.PermissionBasedAuthorization;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The code, the JSON and the answers of docs/security.md. */
@Tag("slow")
class SecurityPageTest {

  private static final ManualPage PAGE = ManualPage.of("security.md");

  private final Vertx vertx = Vertx.vertx();
  private final BlockingQueue<String> buyers = new LinkedBlockingQueue<>();
  private String token = "token of alice";
  private RpcServer server;

  /** Notes who orders. */
  private final class Desk implements Orders {

    @Override
    public Future<Long> place(String article, int count) {
      String buyer = RpcCall.current().user().map(RpcUser::name).orElse("nobody");
      buyers.add(buyer);
      return Future.succeededFuture(1L);
    }

    @Override
    public Future<List<String>> find(String prefix) {
      return Future.succeededFuture(List.of());
    }
  }

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  private static RpcServerOptions kerberosServer() {
    RpcServerOptions options = new RpcServerOptions().setKerberos(new KerberosOptions()
        .setPrincipal("orders/shop.example.org@EXAMPLE.ORG").setKeytab("/etc/orders.keytab"));
    return options;
  }

  private static RpcClientOptions kerberosClient() {
    RpcClientOptions options = new RpcClientOptions().setKerberos(new KerberosOptions()
        .setService("orders").setProtection(RpcProtection.PRIVACY));
    return options;
  }

  private static RpcClientOptions boundClient() {
    RpcClientOptions options = new RpcClientOptions()
        .setTls(new ClientSSLOptions().setTrustOptions(new PemTrustOptions().addCertPath("server.crt")))
        .setKerberos(new KerberosOptions().setService("orders").setProtection(RpcProtection.CHANNEL));
    return options;
  }

  private RpcServer kerberosServer(RpcServerOptions options) {
    RpcServer server = RpcServer.create(vertx, options);
    server.bind(Orders.class, new Desk(), RpcAccess.protection(RpcProtection.INTEGRITY));
    return server;
  }

  private static Future<Integer> contexts(RpcServer server) {
    Future<Integer> port = server.listenForContexts(SocketAddress.inetSocketAddress(2049, "0.0.0.0"));
    return port;
  }

  /** What needs no realm: the rest is tried with one, by KerberosTest of the API. */
  @Test
  @DisplayName("The options of Kerberos are those of the page, in Java and in JSON")
  void kerberos() {
    assertThat(kerberosServer().getKerberos().orElseThrow().getProtection()).isEqualTo(RpcProtection.AUTHENTICATION);
    Waiting.await(RpcClient.create(vertx, kerberosClient()).close());
    assertThat(boundClient().getKerberos().orElseThrow().getProtection()).isEqualTo(RpcProtection.CHANNEL);
    String json = PAGE.blocks("json").stream().filter(block -> block.contains("\"kerberos\"")).findFirst()
        .orElseThrow();
    KerberosOptions read = new RpcClientOptions(new JsonObject(json)).getKerberos().orElseThrow();
    assertThat(read.toJson()).isEqualTo(new KerberosOptions().setService("orders")
        .setProtection(RpcProtection.PRIVACY).setPrincipal("alice").setKeytab("/etc/alice.keytab").toJson());
    assertThat(Waiting.awaitFailure(contexts(RpcServer.create(vertx)))).isInstanceOf(IllegalStateException.class);
    server = Waiting.await(kerberosServer(kerberosServer()).listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
    Throwable refusal = Waiting.awaitFailure(RpcClient.create(vertx, new RpcClientOptions())
        .channel(SocketAddress.inetSocketAddress(server.actualPort(), "127.0.0.1")).proxy(Orders.class)
        .place("book", 1));
    assertThat(refusal).isInstanceOfSatisfying(RpcRejectedException.class,
        e -> assertThat(e.authStatus()).contains(AuthStatus.TOOWEAK));
  }

  private void serve(RpcServer made) {
    server = made.bind(Orders.class, new Desk());
    Waiting.await(server.listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
  }

  private RpcChannel channel(RpcClient client) {
    return client.channel(SocketAddress.inetSocketAddress(server.actualPort(), "127.0.0.1"));
  }

  private RpcChannel channel() {
    return channel(RpcClient.create(vertx));
  }

  private String buyer(RpcChannel channel) {
    Waiting.await(channel.proxy(Orders.class).place("tea", 1));
    return Waiting.next(buyers);
  }

  private static Throwable refusal(RpcChannel channel) {
    return Waiting.awaitFailure(channel.proxy(Orders.class).place("tea", 1));
  }

  private static void assertRefused(RpcChannel channel, AuthStatus status) {
    assertThat(refusal(channel)).isInstanceOfSatisfying(RpcRejectedException.class,
        e -> assertThat(e.authStatus()).contains(status));
  }

  private static RpcClientOptions alice() {
    RpcClientOptions options = new RpcClientOptions()
        .setCredentials(new AuthSys(0, "desk", 1000, 100, List.of(100, 27)).toAuth());
    return options;
  }

  @Test
  @DisplayName("Credentials of options and of calls, in code and in JSON")
  void credentials() {
    serve(RpcServer.create(vertx));
    assertThat(new RpcClientOptions(new JsonObject(PAGE.blocks("json").get(0))).getCredentials())
        .isEqualTo(alice().getCredentials());
    RpcChannel channel = channel(RpcClient.create(vertx, alice()));
    assertThat(buyer(channel)).isEqualTo("uid:1000");
    AuthSys bob = new AuthSys(0, "desk", 1001, 100, List.of());
    Orders asBob = channel.proxy(Orders.class, CallOptions.DEFAULT.withCredentials(bob.toAuth()));
    Waiting.await(asBob.place("tea", 1));
    assertThat(Waiting.next(buyers)).isEqualTo("uid:1001");
    assertThat(buyer(channel())).isEqualTo("nobody");
  }

  private RpcServer strict() {
    RpcServer server = RpcServer.builder(vertx)
        .addServiceInterceptor(ServiceInterceptor.requireProvenUser())
        .withTokens((token, connection) -> verify(token))
        .build();
    return server;
  }

  private RpcServer byProviders(AuthenticationProvider authentication, AuthorizationProvider authorization) {
    RpcServer server = RpcServer.builder(vertx).withTokens(verifier(authentication, authorization)).build();
    server.bind(ServiceBinding.of(Orders.class).service(new Desk()).restrictedTo(Map.of(
        "place", user -> user.filter(known -> known.attributes().getBoolean("mayPlace", false)).isPresent(),
        "find", RpcAccess.provenUsers())));
    return server;
  }

  TokenVerifier verifier(AuthenticationProvider authentication, AuthorizationProvider authorization) {
    return (token, connection) -> authentication.authenticate(new TokenCredentials(token))
        .compose(user -> authorization.getAuthorizations(user).map(known -> new RpcUser(user.subject(),
            new JsonObject().put("mayPlace", PermissionBasedAuthorization.create("orders:place").match(user)),
            Optional.of(Duration.ofMinutes(10)))));
  }

  /** Fails if {@code RestrictedProcedures.access} does not ask the rule of the procedure. */
  @Test
  @DisplayName("Vert.x's providers say who a caller is and what it may do; each call has the token of its user")
  void providers() {
    AuthenticationProvider authentication = credentials -> check(((TokenCredentials) credentials).getToken())
        .map(User::create);
    AuthorizationProvider authorization = new AuthorizationProvider() {
      @Override
      public String getId() {
        return "desk";
      }

      @Override
      public Future<Void> getAuthorizations(User user) {
        Set<Authorization> all = user.subject().equals("alice")
            ? Set.of(PermissionBasedAuthorization.create("orders:place")) : Set.of();
        user.authorizations().put(getId(), all);
        return Future.succeededFuture();
      }
    };
    server = Waiting.await(byProviders(authentication, authorization)
        .listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
    RpcChannel channel = channel(RpcClient.create(vertx));
    String tokenOfAlice = "token of alice";
    CallOptions forAlice = CallOptions.DEFAULT.withToken(tokenOfAlice);
    assertThat(Waiting.await(channel.proxy(Orders.class, forAlice).place("book", 1))).isEqualTo(1);
    assertThat(Waiting.next(buyers)).isEqualTo("alice");
    Orders forBob = channel.proxy(Orders.class, CallOptions.DEFAULT.withToken("token of bob"));
    assertThat(Waiting.awaitFailure(forBob.place("book", 1))).isInstanceOfSatisfying(RpcRejectedException.class,
        e -> assertThat(e.authStatus()).contains(AuthStatus.TOOWEAK));
    assertThat(Waiting.await(forBob.find(""))).isEmpty();
    assertThat(Waiting.awaitFailure(channel.proxy(Orders.class).find(""))).isInstanceOf(RpcRejectedException.class);
    assertThat(Waiting.awaitFailure(channel.proxy(Orders.class, CallOptions.DEFAULT.withToken("?")).find("")))
        .isInstanceOf(RpcSecurityException.class);
    RpcService desk = ServiceBinding.of(Orders.class).service(new Desk());
    assertThatThrownBy(() -> desk.restrictedTo(Map.of("plaice", RpcAccess.ALL)))
        .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("has no procedure plaice, but [find, place");
  }

  private RpcServer clerks() {
    RpcServer server = RpcServer.builder(vertx)
        .withTokens((token, connection) -> verify(token))
        .addServiceInterceptor((call, next) -> mayCall(call) ? next.handle(call)
            : Future.failedFuture(new RpcStatusException(AuthStatus.FAILED, "Clerks alone place orders")))
        .build();
    return server;
  }

  boolean mayCall(RpcCall call) {
    return call.procedure() != 1
        || call.user().map(user -> "clerk".equals(user.attributes().getString("role"))).orElse(false);
  }

  Future<RpcUser> verify(String token) {
    return check(token).map(claims ->
        new RpcUser(claims.getString("sub"), claims, Optional.of(Duration.ofMinutes(10))));
  }

  /** What a library for tokens does. */
  private static Future<JsonObject> check(String token) {
    return token.startsWith("token of ")
        ? Future.succeededFuture(new JsonObject().put("sub", token.substring(9))
            .put("role", token.endsWith("alice") ? "clerk" : "guest"))
        : Future.failedFuture(new IllegalArgumentException("no such token"));
  }

  private Future<String> fetchToken() {
    return Future.succeededFuture(token);
  }

  private RpcClient withToken() {
    RpcClient client = RpcClient.builder(vertx)
        .withToken(() -> fetchToken())
        .build();
    return client;
  }

  @Test
  @DisplayName("Where users are required and AUTH_SYS is refused, tokens are let in")
  void required() {
    serve(strict());
    assertRefused(channel(), AuthStatus.TOOWEAK);
    assertRefused(channel(RpcClient.create(vertx, alice())), AuthStatus.TOOWEAK);
    assertThat(buyer(channel(withToken()))).isEqualTo("alice");
  }

  @Test
  @DisplayName("Who may call is decided by what the token says")
  void authorised() {
    serve(clerks());
    assertThat(buyer(channel(withToken()))).isEqualTo("alice");
    token = "token of bob";
    RpcChannel bob = channel(withToken());
    assertRefused(bob, AuthStatus.FAILED);
    assertThat(Waiting.await(bob.proxy(Orders.class).find(""))).isEmpty();
  }

  @Test
  @DisplayName("A token that is refused, or that nobody takes, fails the connection")
  void refusedTokens() {
    serve(strict());
    token = "forged";
    assertThat(refusal(channel(withToken()))).isInstanceOf(RpcConnectException.class)
        .hasMessageContaining("BADCRED");
    serve(RpcServer.create(vertx));
    assertThat(refusal(channel(withToken()))).isInstanceOf(RpcConnectException.class)
        .hasMessageContaining("takes no tokens");
  }

  @Test
  @DisplayName("A client knows who the server is that calls it")
  void reverse() {
    RpcServerOptions options = new RpcServerOptions()
        .setCredentials(new AuthSys(0, "orders", 2000, 2000, List.of()).toAuth());
    serve(RpcServer.create(vertx, options));
    RpcClient client = RpcClient.builder(vertx)
        .addServiceInterceptor(ServiceInterceptor.requireUser())
        .build();
    BlockingQueue<String> callers = new LinkedBlockingQueue<>();
    RpcChannel channel = channel(client).bind(OrderEvents.class, order -> {
      callers.add(RpcCall.current().user().map(RpcUser::name).orElse("nobody"));
      return Future.succeededFuture();
    });
    BlockingQueue<RpcConnection> accepted = new LinkedBlockingQueue<>();
    server.connectionHandler(accepted::add);
    Waiting.await(channel.connect());
    Waiting.await(Waiting.next(accepted).peer().proxy(OrderEvents.class).shipped(1));
    assertThat(Waiting.next(callers)).isEqualTo("uid:2000");
  }

  @Test
  @DisplayName("By TLS each end knows the other by its certificate")
  void tls(@TempDir Path folder) throws Exception {
    TestKeys ofServer = TestKeys.forNames("ip:127.0.0.1");
    TestKeys ofClient = TestKeys.forNames("ip:127.0.0.1");
    write(folder, "server", ofServer);
    write(folder, "client", ofClient);
    List<String> settings = PAGE.blocks("json").stream().filter(json -> json.contains("\"tls\"")).toList();
    serve(RpcServer.create(vertx, new RpcServerOptions(in(folder, settings.get(0)))));
    RpcChannel channel = channel(RpcClient.create(vertx, new RpcClientOptions(in(folder, settings.get(1)))));
    assertThat(buyer(channel)).isEqualTo("CN=test");
    assertThat(Waiting.await(channel.connect()).peerCertificates()).hasSize(1);
    // Whoever says otherwise is believed.
    Waiting.await(channel.proxy(Orders.class, CallOptions.DEFAULT.withCredentials(alice().getCredentials()))
        .place("tea", 1));
    assertThat(Waiting.next(buyers)).isEqualTo("uid:1000");
    assertThat(refusal(channel())).isInstanceOf(RpcConnectException.class);
  }

  @Test
  @DisplayName("A server's certificate is renewed while it serves")
  void renewed(@TempDir Path folder) throws Exception {
    TestKeys before = TestKeys.forNames("ip:127.0.0.1");
    TestKeys after = TestKeys.forNames("ip:127.0.0.1");
    write(folder, "server", before);
    RpcServerOptions options = new RpcServerOptions().setTls(in(folder, secured().getTls().orElseThrow()));
    RpcServer renewing = RpcServer.create(vertx, options);
    serve(renewing);
    assertThat(Waiting.await(channel(trusting(before)).connect()).peerCertificates()).hasSize(1);
    write(folder, "server", after);
    assertThat(Waiting.await(renew(renewing, options))).isTrue();
    assertThat(Waiting.await(channel(trusting(after)).connect()).peerCertificates()).hasSize(1);
    assertThat(refusal(channel(trusting(before)))).isInstanceOf(RpcConnectException.class);
    assertThat(trusting().getTls()).isPresent();
  }

  private static RpcServerOptions secured() {
    RpcServerOptions options = new RpcServerOptions().setTls(new ServerSSLOptions()
        .setKeyCertOptions(new PemKeyCertOptions().setCertPath("server.crt").setKeyPath("server.key")));
    return options;
  }

  private static RpcClientOptions trusting() {
    RpcClientOptions options = new RpcClientOptions().setTls(new ClientSSLOptions()
        .setTrustOptions(new PemTrustOptions().addCertPath("server.crt")));
    return options;
  }

  private RpcClient trusting(TestKeys keys) {
    return RpcClient.create(vertx, new RpcClientOptions().setTls(
        new ClientSSLOptions().setTrustOptions(keys.trusted())));
  }

  private Future<Boolean> renew(RpcServer server, RpcServerOptions options) {
    return server.updateSSLOptions(options.getTls().orElseThrow(), true);
  }

  private static ServerSSLOptions in(Path folder, ServerSSLOptions options) {
    PemKeyCertOptions keys = (PemKeyCertOptions) options.getKeyCertOptions();
    return options.setKeyCertOptions(new PemKeyCertOptions().setCertPath(folder.resolve(keys.getCertPath()).toString())
        .setKeyPath(folder.resolve(keys.getKeyPath()).toString()));
  }

  private static void write(Path folder, String name, TestKeys keys) throws Exception {
    Files.write(folder.resolve(name + ".crt"), keys.pem().getJsonArray("certValues").getBinary(0));
    Files.write(folder.resolve(name + ".key"), keys.pem().getJsonArray("keyValues").getBinary(0));
  }

  private static JsonObject in(Path folder, String json) {
    return new JsonObject(json.replaceAll("\"(\\w+\\.(crt|key))\"", "\"" + folder + "/$1\""));
  }

  @Test
  @DisplayName("The page has each reason to refuse credentials that a service may give")
  void reasons() {
    assertThat(PAGE.rows("What a refused caller hears").stream().flatMap(row -> Arrays.stream(row.get(0).split(", ")))
        .map(name -> name.replace("`", "")))
        .allSatisfy(name -> assertThat(AuthStatus.valueOf(name)).isNotEqualTo(AuthStatus.OK));
  }

  @Test
  @DisplayName("All code of the page is compiled")
  void page() {
    assertThat(PAGE.notIn(Path.of("src/test/java/dev/rpcrdma/service/SecurityPageTest.java"))).isEmpty();
  }
}
