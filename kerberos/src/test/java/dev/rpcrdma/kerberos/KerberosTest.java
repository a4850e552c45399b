// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.KerberosOptions;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcProtection;
import dev.rpcrdma.api.RpcRejectedException;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcSecurityException;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.RpcUser;
import dev.rpcrdma.api.ServiceInterceptor;
import dev.rpcrdma.api.fixture.EchoService;
import dev.rpcrdma.protocol.oncrpc.AuthStatus;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.xdr.DataItem;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.SocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Calls by tickets of a real key distribution center, through every layer. */
@DisplayName("Kerberos")
@Tag("large")
class KerberosTest {

  private static final String SERVICE = "echo/127.0.0.1";
  private static final int CALLS = 400;
  /** Of {@code KerberosServer}. */
  private static final int WINDOW = 128;

  private static KerberosRealm realm;

  private final BlockingQueue<Optional<RpcUser>> users = new LinkedBlockingQueue<>();
  private final Vertx vertx = Vertx.vertx();

  @BeforeAll
  static void open() {
    realm = new KerberosRealm("alice", "bob", SERVICE, "echo/elsewhere");
  }

  @AfterAll
  static void end() {
    realm.close();
  }

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  private static KerberosOptions as(String principal, RpcProtection protection) {
    return realm.options(principal).setService("echo").setProtection(protection);
  }

  private RpcServer server(KerberosOptions kerberos) {
    return Waiting.await(RpcServer.builder(vertx).with(new RpcServerOptions().setProvider("siw").setKerberos(kerberos))
        .addServiceInterceptor((call, next) -> {
          users.add(call.user());
          return next.handle(call);
        }).build().bind(new EchoService()).listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
  }

  private RpcChannel channel(RpcServer server, RpcClientOptions options) {
    return RpcClient.create(vertx, options.setProvider("siw"))
        .channel(SocketAddress.inetSocketAddress(server.actualPort(), "127.0.0.1"));
  }

  private RpcChannel channel(RpcServer server, KerberosOptions kerberos) {
    return channel(server, new RpcClientOptions().setKerberos(kerberos));
  }

  private static RpcUser user(String name, RpcProtection protection) {
    return new RpcUser(name + '@' + KerberosRealm.NAME, new JsonObject().put("protection", protection.name()),
        Optional.empty(), RpcUser.Proof.KERBEROS);
  }

  /** Fails if {@code Users.of} passes over {@code ProvenUser}, or {@code Attempt.protector} gives none. */
  @ParameterizedTest
  @EnumSource(names = "CHANNEL", mode = EnumSource.Mode.EXCLUDE)
  @DisplayName("R-331 R-332 R-333 R-334 C-26 C-27: calls of all forms are executed for whom the ticket names")
  void forms(RpcProtection protection) {
    RpcServer server = server(realm.options(SERVICE));
    RpcChannel channel = channel(server, as("alice", protection));
    for (int length : new int[] {0, 100, 5000, 100_000, 1 << 20}) {
      byte[] bytes = new byte[length];
      Arrays.fill(bytes, (byte) 7);
      assertThat(Waiting.await(channel.call(EchoService.echo(bytes))).getBytes()).isEqualTo(bytes);
      assertThat(Waiting.await(channel.call(EchoService.echoUnbounded(bytes))).getBytes()).isEqualTo(bytes);
      assertThat(Waiting.await(channel.call(EchoService.echoPlaced(DataItem.of(bytes)))).getBytes()).isEqualTo(bytes);
      assertThat(Waiting.next(users)).contains(user("alice", protection));
    }
  }

  /** Fails if {@code Users.of} takes the name from somewhere else than the context. */
  @Test
  @DisplayName("Each client is whom its ticket names, also over one server's contexts")
  void each() {
    RpcServer server = server(realm.options(SERVICE));
    for (String name : List.of("alice", "bob", "alice")) {
      Waiting.await(channel(server, as(name, RpcProtection.INTEGRITY)).call(EchoService.echo(new byte[1])));
      assertThat(Waiting.next(users)).contains(user(name, RpcProtection.INTEGRITY));
    }
  }

  /** Fails if {@code GssClient} has one context: no number is given a whole window above one without a reply. */
  @Test
  @DisplayName("Calls that take long hold no others up, however many come after them")
  void slowCalls() {
    RpcChannel channel = channel(server(realm.options(SERVICE)), as("alice", RpcProtection.AUTHENTICATION));
    for (int slow = 0; slow < 3; slow++) {
      channel.call(RpcRequest.to(EchoService.BINDING, EchoService.NEVER).build());
      for (int i = 0; i < 2 * WINDOW; i++) {
        Waiting.await(channel.call(EchoService.echo(new byte[1])));
      }
    }
  }

  /** Fails if {@code Attempt.protector} protects calls that have credentials, or {@code Users.of} proves those. */
  @Test
  @DisplayName("A call with credentials of its own has those, and proves nothing")
  void own() {
    RpcServer server = server(realm.options(SERVICE));
    RpcChannel channel = channel(server, as("alice", RpcProtection.AUTHENTICATION));
    Waiting.await(channel.call(EchoService.echo(new byte[1]).withOptions(CallOptions.DEFAULT.withCredentials(
        OpaqueAuth.NONE))));
    assertThat(Waiting.next(users)).isEmpty();
  }

  /** Fails if {@code ServiceInterceptor.requireProtection} compares the other way round. */
  @Test
  @DisplayName("A server takes as much protection as it asks for, or more, and refuses less")
  void least() {
    RpcServer server = Waiting.await(RpcServer.builder(vertx)
        .with(new RpcServerOptions().setProvider("siw").setKerberos(realm.options(SERVICE)))
        .addServiceInterceptor(ServiceInterceptor.requireProtection(RpcProtection.INTEGRITY))
        .build().bind(new EchoService()).listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
    Waiting.await(channel(server, as("alice", RpcProtection.PRIVACY)).call(EchoService.echo(new byte[1])));
    Waiting.await(channel(server, as("alice", RpcProtection.INTEGRITY)).call(EchoService.echo(new byte[1])));
    for (RpcChannel weak : List.of(channel(server, as("alice", RpcProtection.AUTHENTICATION)),
        channel(server, new RpcClientOptions()))) {
      assertThat(Waiting.awaitFailure(weak.call(EchoService.echo(new byte[1]))))
          .isInstanceOfSatisfying(RpcRejectedException.class,
              e -> assertThat(e.authStatus()).contains(AuthStatus.TOOWEAK));
    }
  }

  private static RpcSecurityException refused(RpcChannel channel) {
    Throwable failure = Waiting.awaitFailure(channel.call(EchoService.echo(new byte[1])));
    assertThat(failure).isInstanceOf(RpcSecurityException.class);
    return (RpcSecurityException) failure;
  }

  /** Fails if {@code GssClient} does not fail those who wait, or the mechanism's words are lost on the way. */
  @Test
  @DisplayName("Without a ticket no call is sent, and its failure says what is wrong")
  void noTicket() {
    RpcServer server = server(realm.options(SERVICE));
    assertThat(refused(channel(server, realm.options("alice").setService("nobody"))))
        .hasMessageContaining("not found in Kerberos database");
    assertThat(refused(channel(server, realm.options("alice").setPrincipal("carol@" + KerberosRealm.NAME)
        .setService("echo")))).hasMessageContaining("carol");
    assertThat(refused(channel(server, realm.options("alice").setKeytab("/nowhere").setService("echo"))))
        .hasMessageContaining("/nowhere");
    assertThat(refused(channel(server, realm.options("alice").setPeer("echo/elsewhere"))))
        .hasMessageContaining("the server refuses it");
    assertThat(users).isEmpty();
  }

  @Test
  @DisplayName("A server without Kerberos says so, and executes nothing")
  void plainServer() {
    RpcServer server = Waiting.await(RpcServer.create(vertx, new RpcServerOptions().setProvider("siw"))
        .bind(new EchoService()).listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
    assertThat(refused(channel(server, as("alice", RpcProtection.PRIVACY))))
        .hasMessageContaining("does it take RPCSEC_GSS?");
  }

  /** Fails if {@code RpcServerImpl} does not share contexts with the servers behind its address. */
  @Test
  @DisplayName("Several connections to several servers behind one address have one context")
  void lanes() {
    RpcServerOptions options = new RpcServerOptions().setProvider("siw").setKerberos(realm.options(SERVICE));
    RpcServer first = Waiting.await(RpcServer.create(vertx, options).bind(new EchoService())
        .listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
    SocketAddress address = SocketAddress.inetSocketAddress(first.actualPort(), "127.0.0.1");
    first = Waiting.await(first.close().compose(done -> RpcServer.create(vertx, options).bind(new EchoService())
        .listen(address)));
    Waiting.await(RpcServer.create(vertx, options).bind(new EchoService()).listen(address));
    RpcChannel channel = channel(first, new RpcClientOptions().setConnections(4)
        .setKerberos(as("alice", RpcProtection.PRIVACY)));
    List<Future<?>> calls = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      calls.add(channel.call(EchoService.echo(new byte[100])));
    }
    calls.forEach(Waiting::await);
  }

  /** Fails if {@code GssClient.mayBegin} asks that nothing stands; of windows by themselves: {@code GssClientTest}. */
  @Test
  @DisplayName("B-117: of more calls than the window has numbers, answered in any order, none waits or is dropped")
  void window() {
    EchoService service = new EchoService();
    RpcServer server = Waiting.await(RpcServer.create(vertx, new RpcServerOptions().setProvider("siw")
        .setForwardCredits(CALLS).setKerberos(realm.options(SERVICE))).bind(service)
        .listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
    RpcChannel channel = channel(server, new RpcClientOptions().setForwardCredits(CALLS)
        .setKerberos(as("alice", RpcProtection.INTEGRITY)));
    List<Future<?>> calls = new ArrayList<>();
    for (int i = 0; i < CALLS; i++) {
      calls.add(channel.call(EchoService.call(EchoService.NEVER)));
    }
    Random random = new Random(7);
    Waiting.until(() -> service.never.size() == CALLS);
    for (int i = 0; i < CALLS; i++) {
      service.never.remove(random.nextInt(service.never.size())).complete(writer -> { });
    }
    calls.forEach(Waiting::await);
  }

  /** Fails if {@code ClientPeer} does not protect what it calls, or {@code RpcClientImpl} judges no contexts. */
  @ParameterizedTest
  @EnumSource(names = "CHANNEL", mode = EnumSource.Mode.EXCLUDE)
  @DisplayName("R-239: a server calls its client by a ticket, and each knows the other one")
  void reverse(RpcProtection protection) {
    assertCallsBack(realm.options(SERVICE).setPeer("alice").setProtection(protection),
        Optional.of(user(SERVICE, protection)));
  }

  /** Fails if {@code RpcServerImpl} makes contexts for a server whose options do not say whom it calls. */
  @Test
  @DisplayName("A server whose options do not say whom it calls proves nothing when it calls its client")
  void plainReverse() {
    assertCallsBack(realm.options(SERVICE), Optional.empty());
  }

  private void assertCallsBack(KerberosOptions ofServer, Optional<RpcUser> known) {
    BlockingQueue<RpcConnection> accepted = new LinkedBlockingQueue<>();
    RpcServer server = server(ofServer);
    server.connectionHandler(accepted::add);
    BlockingQueue<Optional<RpcUser>> callers = new LinkedBlockingQueue<>();
    RpcChannel channel = RpcClient.builder(vertx)
        .with(new RpcClientOptions().setProvider("siw").setKerberos(as("alice", RpcProtection.AUTHENTICATION)))
        .addServiceInterceptor((call, next) -> {
          callers.add(call.user());
          return next.handle(call);
        }).build().channel(SocketAddress.inetSocketAddress(server.actualPort(), "127.0.0.1"));
    channel.bind(new EchoService());
    Waiting.await(channel.call(EchoService.echo(new byte[1])));
    byte[] bytes = new byte[100_000];
    assertThat(Waiting.await(Waiting.next(accepted).peer().call(EchoService.echo(bytes))).getBytes()).isEqualTo(bytes);
    assertThat(Waiting.next(callers)).isEqualTo(known);
  }

  @Test
  @DisplayName("Options that cannot be used are refused at once, with the remedy")
  void options() {
    assertRefused(realm.options("alice"), "set its service");
    assertRefused(realm.options("alice").setService("echo").setTicketCache("/tmp/cache"), "a keytab and a ticketCache");
    assertRefused(realm.options("alice").setService("echo").setPeer("bob"), "a service and a peer");
    assertRefused(new KerberosOptions().setService("echo").setKeytab("/some"), "its principal says");
    assertRefused(as("alice", RpcProtection.CHANNEL), "that of TLS: tls says how");
    assertThatThrownBy(() -> RpcClient.builder(vertx).with(new RpcClientOptions().setKerberos(
        realm.options("alice").setService("echo"))).withToken(() -> Future.succeededFuture("token")).build())
        .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("not by both");
    assertThatThrownBy(() -> new KerberosOptions(new JsonObject().put("keyTab", "x")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("No such Kerberos option: keyTab (did you mean keytab?)");
  }

  private void assertRefused(KerberosOptions kerberos, String words) {
    assertThatThrownBy(() -> RpcClient.create(vertx, new RpcClientOptions().setKerberos(kerberos)))
        .isInstanceOf(IllegalArgumentException.class).hasMessageContaining(words);
  }

  @Test
  @DisplayName("Options survive their JSON form and a copy")
  void json() {
    KerberosOptions all = realm.options("alice").setService("nfs").setProtection(RpcProtection.PRIVACY)
        .setMaxContexts(7);
    RpcClientOptions options = new RpcClientOptions().setKerberos(all);
    assertThat(new RpcClientOptions(options).getKerberos().orElseThrow().toJson()).isEqualTo(all.toJson());
    assertThat(new RpcClientOptions(options.toJson()).getKerberos().orElseThrow().toJson()).isEqualTo(all.toJson());
  }
}
