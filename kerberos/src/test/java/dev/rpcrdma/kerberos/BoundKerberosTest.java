// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.ConnectionSnapshot;
import dev.rpcrdma.api.KerberosOptions;
import dev.rpcrdma.api.RpcAccess;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcProtection;
import dev.rpcrdma.api.RpcRejectedException;
import dev.rpcrdma.api.RpcSecurityException;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.RpcUser;
import dev.rpcrdma.api.fixture.EchoService;
import dev.rpcrdma.protocol.oncrpc.AuthStatus;
import dev.rpcrdma.protocol.xdr.DataItem;
import dev.rpcrdma.testkit.CuttingProxy;
import dev.rpcrdma.testkit.TestKeys;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.ServerSSLOptions;
import io.vertx.core.net.SocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tickets of a real key distribution center, bound to TLS beneath. */
@DisplayName("Kerberos, bound to TLS")
@Tag("large")
class BoundKerberosTest {

  private static final String HOST = "127.0.0.1";
  private static final String SERVICE = "echo/127.0.0.1";

  private static KerberosRealm realm;
  private static TestKeys keys;

  private final BlockingQueue<Optional<RpcUser>> users = new LinkedBlockingQueue<>();
  private final BlockingQueue<RpcConnection> accepted = new LinkedBlockingQueue<>();
  private final Vertx vertx = Vertx.vertx();

  @BeforeAll
  static void open() {
    realm = new KerberosRealm("alice", SERVICE);
    keys = TestKeys.forNames("ip:127.0.0.1");
  }

  @AfterAll
  static void end() {
    realm.close();
  }

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  private static RpcServerOptions tls(TestKeys of) {
    return new RpcServerOptions().setProvider("siw").setTls(new ServerSSLOptions().setKeyCertOptions(of.keys()));
  }

  private RpcServer server(KerberosOptions kerberos, RpcAccess access) {
    RpcServer server = RpcServer.builder(vertx).with(tls(keys).setKerberos(kerberos))
        .addServiceInterceptor((call, next) -> {
          users.add(call.user());
          return next.handle(call);
        }).build().bind(new EchoService().restrictedTo(access));
    server.connectionHandler(accepted::add);
    return Waiting.await(server.listen(SocketAddress.inetSocketAddress(0, HOST)));
  }

  private RpcServer server() {
    return server(realm.options(SERVICE), RpcAccess.protection(RpcProtection.CHANNEL));
  }

  private RpcClientOptions client(RpcProtection protection, PemTrustOptions trust) {
    return new RpcClientOptions().setProvider("siw").setTls(new ClientSSLOptions().setTrustOptions(trust))
        .setKerberos(realm.options("alice").setService("echo").setProtection(protection));
  }

  private RpcChannel channel(int port, RpcClientOptions options) {
    return RpcClient.create(vertx, options).channel(SocketAddress.inetSocketAddress(port, HOST));
  }

  private RpcChannel channel(int port) {
    return channel(port, client(RpcProtection.CHANNEL, keys.trusted()));
  }

  private static Future<Buffer> echo(RpcChannel channel) {
    return channel.call(EchoService.echo(new byte[100]));
  }

  private void assertServed() {
    assertThat(Waiting.next(users)).hasValueSatisfying(user -> {
      assertThat(user.name()).isEqualTo("alice@" + KerberosRealm.NAME);
      assertThat(user.protection()).contains(RpcProtection.CHANNEL);
    });
  }

  /** Fails if {@code GssBodies.of} protects bodies with CHANNEL, or {@code RpcConnectionImpl} has no bindings. */
  @Test
  @DisplayName("R-329 RFC 5403 §3.4: calls of all forms, and data is placed, though a service wants all protection"
      + " there is")
  void forms() {
    RpcChannel channel = channel(server().actualPort());
    for (int length : new int[] {0, 100, 5000, 100_000, 1 << 20}) {
      byte[] bytes = new byte[length];
      Arrays.fill(bytes, (byte) 7);
      assertThat(Waiting.await(channel.call(EchoService.echo(bytes))).getBytes()).isEqualTo(bytes);
      assertThat(Waiting.await(channel.call(EchoService.echoUnbounded(bytes))).getBytes()).isEqualTo(bytes);
      assertThat(Waiting.await(channel.call(EchoService.echoPlaced(DataItem.of(bytes)))).getBytes()).isEqualTo(bytes);
      assertServed();
    }
    ConnectionSnapshot snapshot = Waiting.await(channel.connect().compose(RpcConnection::snapshot));
    assertThat(snapshot.messages().readChunks()).as("arguments that were placed").isPositive();
    assertThat(snapshot.messages().writeChunks()).as("results that were placed").isPositive();
  }

  /** Fails if {@code RpcAccess.protection} puts CHANNEL below PRIVACY, or AUTHENTICATION above. */
  @Test
  @DisplayName("R-329: TLS and Kerberos beside each other are not enough for who wants them bound, and bound ones are"
      + " for who wants privacy")
  void least() {
    RpcServer server = server();
    assertThat(Waiting.awaitFailure(echo(channel(server.actualPort(),
        client(RpcProtection.PRIVACY, keys.trusted()))))).isInstanceOfSatisfying(RpcRejectedException.class,
            e -> assertThat(e.authStatus()).contains(AuthStatus.TOOWEAK));
    RpcServer lenient = server(realm.options(SERVICE), RpcAccess.protection(RpcProtection.PRIVACY));
    Waiting.await(echo(channel(lenient.actualPort())));
    assertServed();
  }

  /** Fails if {@code GssClient} takes a connection for bound that another one was. */
  @Test
  @DisplayName("R-329: a connection after one that is lost is bound anew, with the same context")
  void reconnects() {
    RpcServer server = server();
    CuttingProxy proxy = new CuttingProxy(vertx, SocketAddress.inetSocketAddress(server.actualPort(), HOST));
    Waiting.await(proxy.start());
    RpcChannel channel = channel(proxy.address().port());
    for (int i = 0; i < 4; i++) {
      Waiting.await(echo(channel));
      assertServed();
      assertThat(proxy.cut()).as("sockets").isPositive();
    }
    Waiting.await(proxy.close());
  }

  /** Fails if {@code RpcConnectionImpl} takes its own certificate on a client, or what is not of this connection. */
  @Test
  @DisplayName("R-329: connections before and after a certificate is renewed are each bound by theirs")
  void renewed() {
    RpcServer server = server();
    TestKeys renewed = TestKeys.forNames("ip:127.0.0.1");
    RpcClient client = RpcClient.create(vertx, client(RpcProtection.CHANNEL, new PemTrustOptions(keys.trust())
        .addCertValue(renewed.trusted().getCertValues().get(0))));
    RpcChannel before = client.channel(SocketAddress.inetSocketAddress(server.actualPort(), HOST));
    Waiting.await(echo(before));
    Waiting.await(server.updateSSLOptions(tls(renewed).getTls().orElseThrow()));
    RpcChannel after = client.channel(SocketAddress.inetSocketAddress(server.actualPort(), HOST));
    Waiting.await(echo(after));
    Waiting.await(echo(before));
  }

  /** Fails if {@code ClientContexts} or {@code RpcClientImpl} judges calls without their connection. */
  @Test
  @DisplayName("R-239 R-329: a server calls its client over the same connection, bound to a context of its own")
  void reverse() {
    RpcServer server = server(realm.options(SERVICE).setPeer("alice").setProtection(RpcProtection.CHANNEL),
        RpcAccess.ALL);
    BlockingQueue<Optional<RpcUser>> callers = new LinkedBlockingQueue<>();
    RpcChannel channel = RpcClient.builder(vertx).with(client(RpcProtection.AUTHENTICATION, keys.trusted()))
        .addServiceInterceptor((call, next) -> {
          callers.add(call.user());
          return next.handle(call);
        }).build().channel(SocketAddress.inetSocketAddress(server.actualPort(), HOST));
    channel.bind(new EchoService());
    Waiting.await(echo(channel));
    byte[] bytes = new byte[100_000];
    assertThat(Waiting.await(Waiting.next(accepted).peer().call(EchoService.echo(bytes))).getBytes()).isEqualTo(bytes);
    assertThat(Waiting.next(callers)).hasValueSatisfying(user -> {
      assertThat(user.name()).isEqualTo(SERVICE + '@' + KerberosRealm.NAME);
      assertThat(user.protection()).contains(RpcProtection.CHANNEL);
    });
  }

  /** Ends TLS of who connects, by a certificate of its own, and begins another one to the server. */
  private int between(TestKeys own, int port) {
    NetServer front = vertx.createNetServer(new NetServerOptions().setSsl(true).setKeyCertOptions(own.keys()));
    NetClient back = vertx.createNetClient(new NetClientOptions().setSsl(true).setTrustAll(true)
        .setHostnameVerificationAlgorithm(""));
    front.connectHandler(client -> {
      client.pause();
      back.connect(port, HOST).onSuccess(server -> {
        relay(client, server);
        relay(server, client);
        client.resume();
      });
    });
    return Waiting.await(front.listen(0, HOST)).actualPort();
  }

  private static void relay(NetSocket from, NetSocket to) {
    from.handler(to::write);
    from.closeHandler(end -> to.close());
  }

  /** Fails if {@code ServerEndPoint.bindings} has not the certificate in it. */
  @Test
  @DisplayName("R-329: who ends TLS in the middle passes signed calls on, but none that is bound to its connection")
  void between() {
    RpcServer server = server(realm.options(SERVICE), RpcAccess.ALL);
    TestKeys own = TestKeys.forNames("ip:127.0.0.1");
    int relay = between(own, server.actualPort());
    Waiting.await(echo(channel(relay, client(RpcProtection.AUTHENTICATION, own.trusted()))));
    assertThat(Waiting.next(users)).as("it is in the middle").isPresent();
    RpcChannel channel = channel(relay, client(RpcProtection.CHANNEL, own.trusted()));
    List<Throwable> failures = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      failures.add(Waiting.awaitFailure(echo(channel)));
    }
    assertThat(failures).allSatisfy(failure ->
        assertThat(failure).isInstanceOfSatisfying(RpcSecurityException.class, e -> {
          assertThat(e).hasMessageContaining("cannot be bound").hasMessageContaining("somebody between");
          assertThat(e.maybeExecuted()).isFalse();
        }));
    assertThat(users).isEmpty();
    Waiting.await(echo(channel(server.actualPort())));
    assertServed();
  }

  @Test
  @DisplayName("R-329: with a server without Kerberos calls fail with the reason")
  void withoutKerberos() {
    RpcServer plain = Waiting.await(RpcServer.create(vertx, tls(keys)).bind(new EchoService())
        .listen(SocketAddress.inetSocketAddress(0, HOST)));
    assertThat(Waiting.awaitFailure(echo(channel(plain.actualPort())))).isInstanceOf(RpcSecurityException.class)
        .hasMessageContaining("does it take RPCSEC_GSS of version 2");
  }
}
