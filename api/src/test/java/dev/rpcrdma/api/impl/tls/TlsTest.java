// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.tls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcClosedException;
import dev.rpcrdma.api.RpcConnectException;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcListenException;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.RpcUser;
import dev.rpcrdma.api.fixture.EchoService;
import dev.rpcrdma.api.resolver.DnsAddress;
import dev.rpcrdma.api.resolver.DnsResolver;
import dev.rpcrdma.protocol.oncrpc.AuthSys;
import dev.rpcrdma.testkit.FreePort;
import dev.rpcrdma.testkit.LoggedMessages;
import dev.rpcrdma.testkit.TestKeys;
import dev.rpcrdma.testkit.TinyDns;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.verbs.VerbsException;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.PfxOptions;
import io.vertx.core.net.ServerSSLOptions;
import io.vertx.core.net.SocketAddress;
import java.io.ByteArrayInputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TLS through every layer: who gets in, and who does not; and that nothing goes in plaintext instead. */
@Tag("slow")
class TlsTest {

  private static final String SECRET = "open sesame";
  private static final JsonObject NONE = new JsonObject();
  private static final TestKeys ONE = TestKeys.forNames("ip:127.0.0.1,dns:one.example");
  private static final TestKeys NAMED = TestKeys.forNames("dns:one.example");
  private static final TestKeys OTHER = TestKeys.forNames("ip:127.0.0.1,dns:other");

  private final Vertx vertx = Vertx.vertx();
  private final EchoService echo = new EchoService();

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  private static ServerSSLOptions serving(TestKeys keys) {
    return new ServerSSLOptions().setKeyCertOptions(keys.keys());
  }

  private static ClientSSLOptions trusting(TestKeys... keys) {
    PemTrustOptions trust = new PemTrustOptions();
    List.of(keys).forEach(each -> trust.addCertValue(each.trusted().getCertValues().get(0)));
    return new ClientSSLOptions().setTrustOptions(trust);
  }

  private static RpcServerOptions server(ServerSSLOptions tls) {
    return new RpcServerOptions().setProvider("siw").setTls(tls);
  }

  private static RpcClientOptions client(ClientSSLOptions tls) {
    return new RpcClientOptions().setProvider("siw").setTls(tls);
  }

  private static SocketAddress anyPort() {
    return SocketAddress.inetSocketAddress(0, "127.0.0.1");
  }

  private RpcServer listen(RpcServerOptions options) {
    return Waiting.await(RpcServer.create(vertx, options).bind(echo).listen(anyPort()));
  }

  private RpcChannel channel(RpcServer server, RpcClientOptions options) {
    return channel(server, RpcClient.create(vertx, options), "127.0.0.1");
  }

  /** By a name that no resolver knows. */
  private static RpcChannel channel(RpcServer server, RpcClient client, String host) {
    try {
      InetAddress address = host.equals("127.0.0.1") ? InetAddress.getByName(host)
          : InetAddress.getByAddress(host, new byte[] {127, 0, 0, 1});
      return client.channel(SocketAddress.inetSocketAddress(new InetSocketAddress(address, server.actualPort())));
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void assertCalls(RpcChannel channel) {
    Waiting.await(channel.call(EchoService.echo(new byte[] {1})));
  }

  private static Certificate shownTo(RpcChannel channel) {
    return Waiting.await(channel.connect()).peerCertificates().get(0);
  }

  /** Fails if {@code DnsEndpoints.found} leaves the name out. */
  @Test
  @DisplayName("A server that DNS has found is checked by the name that the user has said")
  void foundByName() {
    TinyDns dns = new TinyDns(vertx).a("one.example", 60, 127, 0, 0, 1).a("other.example", 60, 127, 0, 0, 1);
    RpcServer server = listen(server(serving(NAMED)));
    RpcClient client = RpcClient.builder(vertx).with(client(trusting(NAMED)))
        .withAddressResolver(DnsResolver.create(dns.options())).build();
    assertCalls(client.channel(DnsAddress.host("one.example", server.actualPort())));
    assertThat(Waiting.awaitFailure(client.channel(DnsAddress.host("other.example", server.actualPort())).connect()))
        .isInstanceOf(RpcConnectException.class);
  }

  private static Certificate certificate(TestKeys keys) throws Exception {
    return CertificateFactory.getInstance("X.509").generateCertificate(
        new ByteArrayInputStream(keys.trusted().getCertValues().get(0).getBytes()));
  }

  private static Throwable refusal(RpcChannel channel) {
    Throwable failure = Waiting.awaitFailure(channel.call(EchoService.echo(new byte[] {1})));
    assertThat(failure).isInstanceOf(RpcConnectException.class);
    return failure;
  }

  private static VerbsException.Kind kind(Throwable failure) {
    return ((VerbsException) failure.getCause()).kind();
  }

  @Test
  @DisplayName("By mutual TLS a service knows its caller by the certificate, with its alternative names")
  void mutual() {
    BlockingQueue<Optional<RpcUser>> callers = new LinkedBlockingQueue<>();
    RpcServer server = Waiting.await(RpcServer.builder(vertx)
        .with(server(serving(ONE).setTrustOptions(OTHER.trusted()).setClientAuth(ClientAuth.REQUIRED)))
        .addServiceInterceptor((call, next) -> {
          callers.add(call.user());
          return next.handle(call);
        }).build().bind(echo).listen(anyPort()));
    assertCalls(channel(server, client(trusting(ONE).setKeyCertOptions(OTHER.keys()))));
    assertThat(Waiting.next(callers)).contains(new RpcUser("CN=test", new JsonObject()
        .put("ip", new JsonArray().add("127.0.0.1")).put("dns", new JsonArray().add("other")), Optional.empty(),
        RpcUser.Proof.CERTIFICATE));
    refusal(channel(server, client(trusting(ONE))));
    refusal(channel(server, client(trusting(ONE).setKeyCertOptions(ONE.keys()))));
    assertThat(callers).isEmpty();
  }

  /** Fails if {@code Users.of} lets a certificate go before AUTH_SYS. */
  @Test
  @DisplayName("A caller with a certificate that says AUTH_SYS is the user that it says, which proves nothing")
  void saysAnotherUser() {
    BlockingQueue<Optional<RpcUser>> callers = new LinkedBlockingQueue<>();
    RpcServer server = Waiting.await(RpcServer.builder(vertx)
        .with(server(serving(ONE).setTrustOptions(OTHER.trusted()).setClientAuth(ClientAuth.REQUIRED)))
        .addServiceInterceptor((call, next) -> {
          callers.add(call.user());
          return next.handle(call);
        }).build().bind(echo).listen(anyPort()));
    assertCalls(channel(server, client(trusting(ONE).setKeyCertOptions(OTHER.keys()))
        .setCredentials(new AuthSys(0, "desk", 1000, 100, List.of()).toAuth())));
    assertThat(Waiting.next(callers)).hasValueSatisfying(user -> {
      assertThat(user.name()).isEqualTo("uid:1000");
      assertThat(user.proof()).isEqualTo(RpcUser.Proof.NONE);
    });
  }

  @Test
  @DisplayName("Who is not trusted, or names another host, is not called")
  void strangers() {
    RpcServer server = listen(server(serving(ONE)));
    assertCalls(channel(server, client(trusting(ONE))));
    assertThat(refusal(channel(server, client(trusting(OTHER))))).hasMessageContaining("TLS handshake");
    RpcClient client = RpcClient.create(vertx, client(trusting(ONE)));
    assertCalls(channel(server, client, "one.example"));
    assertThat(refusal(channel(server, client, "third.example"))).hasMessageContaining("TLS handshake");
    assertCalls(channel(server, RpcClient.create(vertx,
        client(trusting(ONE).setHostnameVerificationAlgorithm(""))), "third.example"));
  }

  @Test
  @DisplayName("Plaintext is refused by whichever side has TLS, and both sides say so")
  void plaintext() {
    RpcServer secured = listen(server(serving(ONE)));
    assertThat(refusal(channel(secured, new RpcClientOptions().setProvider("siw")))).hasMessageContaining("'tls'");
    RpcServer plain = listen(new RpcServerOptions().setProvider("siw"));
    assertThat(refusal(channel(plain, client(trusting(ONE))))).hasMessageContaining("'tls'");
    assertThat(secured.connectionCount()).isZero();
    assertThat(plain.connectionCount()).isZero();
  }

  /** Fails if {@code ServerNames} has no context for a name that is unknown. */
  @Test
  @DisplayName("A server chooses its certificate by the name that a client says, also one without a dot")
  void names() throws Exception {
    PemKeyCertOptions both = ONE.keys().addCertValue(OTHER.keys().getCertValue())
        .addKeyValue(OTHER.keys().getKeyValue());
    RpcServer server = listen(server(new ServerSSLOptions().setKeyCertOptions(both).setSni(true)));
    RpcClient client = RpcClient.create(vertx, client(trusting(ONE, OTHER)));
    assertThat(shownTo(channel(server, client, "one.example"))).isEqualTo(certificate(ONE));
    assertThat(shownTo(channel(server, client, "other"))).isEqualTo(certificate(OTHER));
    assertThat(refusal(channel(server, client, "third.example"))).hasMessageContaining("TLS handshake");
    RpcClient lenient = RpcClient.create(vertx, client(trusting(ONE, OTHER).setHostnameVerificationAlgorithm("")));
    assertThat(shownTo(channel(server, lenient, "third.example"))).as("a name that it has nothing for")
        .isIn(certificate(ONE), certificate(OTHER));
  }

  @Test
  @DisplayName("A server gets another certificate for new connections, and those that are up stay")
  void reload() throws Exception {
    RpcServer server = listen(server(serving(ONE)));
    RpcClient client = RpcClient.create(vertx, client(trusting(ONE, OTHER)));
    RpcChannel standing = channel(server, client, "127.0.0.1");
    RpcConnection before = Waiting.await(standing.connect());
    assertThat(Waiting.await(server.updateSSLOptions(serving(ONE)))).isFalse();
    assertThat(Waiting.await(server.updateSSLOptions(serving(OTHER)))).isTrue();
    assertThat(shownTo(channel(server, client, "127.0.0.1"))).isEqualTo(certificate(OTHER));
    assertCalls(standing);
    assertThat(Waiting.await(standing.connect())).isSameAs(before);
    assertThat(before.peerCertificates()).containsExactly(certificate(ONE));
    // What one side has alone counts as well.
    assertThat(Waiting.await(server.updateSSLOptions(
        serving(OTHER).setTrustOptions(ONE.trusted())))).isTrue();
    assertThat(Waiting.await(server.updateSSLOptions(
        serving(OTHER).setTrustOptions(ONE.trusted()).setClientAuth(ClientAuth.REQUIRED)))).isTrue();
    refusal(channel(server, client, "127.0.0.1"));
    assertCalls(standing);
  }

  @Test
  @DisplayName("What cannot be used is told, and what was in force stays so; the same files are read anew by force")
  void wrongReload() throws Exception {
    ServerSSLOptions wrong = serving(ONE).setKeyCertOptions(new PfxOptions(OTHER.pfx()).setPassword(SECRET));
    RpcServer server = listen(server(serving(ONE)));
    assertThat(Waiting.awaitFailure(server.updateSSLOptions(wrong))).isInstanceOf(RpcListenException.class)
        .hasMessageContaining("What was in force stays so").hasMessageNotContaining(SECRET);
    RpcClient client = RpcClient.create(vertx, client(trusting(ONE)));
    assertThat(shownTo(channel(server, client, "127.0.0.1"))).isEqualTo(certificate(ONE));
    assertThat(Waiting.await(server.updateSSLOptions(serving(ONE)))).isFalse();
    assertThat(Waiting.await(server.updateSSLOptions(serving(ONE), true))).isTrue();
    ClientSSLOptions wrongTrust = new ClientSSLOptions().setTrustOptions(
        new PemTrustOptions().addCertValue(Buffer.buffer("garbage")));
    assertThat(Waiting.awaitFailure(client.updateSSLOptions(wrongTrust))).isInstanceOf(RpcConnectException.class)
        .hasMessageContaining("What was in force stays so");
    assertCalls(channel(server, client, "127.0.0.1"));
  }

  @Test
  @DisplayName("A client trusts others from an update on")
  void clientReload() {
    RpcServer server = listen(server(serving(ONE)));
    RpcClient client = RpcClient.create(vertx, client(trusting(OTHER)));
    RpcChannel channel = channel(server, client, "127.0.0.1");
    refusal(channel);
    assertThat(Waiting.await(client.updateSSLOptions(trusting(ONE)))).isTrue();
    assertThat(Waiting.await(client.updateSSLOptions(trusting(ONE)))).isFalse();
    assertCalls(channel);
    assertThat(Waiting.await(client.updateSSLOptions(
        trusting(ONE).setHostnameVerificationAlgorithm("")))).isTrue();
  }

  @Test
  @DisplayName("There is nothing to replace without TLS, after the end, and a server may before it listens")
  void whenToReload() throws Exception {
    RpcServer plain = RpcServer.create(vertx, new RpcServerOptions());
    RpcClient plainClient = RpcClient.create(vertx);
    assertThat(Waiting.awaitFailure(plain.updateSSLOptions(serving(ONE)))).isInstanceOf(IllegalStateException.class);
    assertThat(Waiting.awaitFailure(plainClient.updateSSLOptions(trusting(ONE))))
        .isInstanceOf(IllegalStateException.class);
    RpcServer server = RpcServer.create(vertx, server(serving(ONE))).bind(echo);
    assertThat(Waiting.await(server.updateSSLOptions(serving(OTHER)))).isTrue();
    Waiting.await(server.listen(anyPort()));
    RpcClient client = RpcClient.create(vertx, client(trusting(OTHER)));
    assertThat(shownTo(channel(server, client, "127.0.0.1"))).isEqualTo(certificate(OTHER));
    Waiting.await(client.close());
    Waiting.await(server.close());
    assertThat(Waiting.awaitFailure(server.updateSSLOptions(serving(ONE)))).isInstanceOf(RpcClosedException.class);
    assertThat(Waiting.awaitFailure(client.updateSSLOptions(trusting(ONE)))).isInstanceOf(RpcClosedException.class);
  }

  @Test
  @DisplayName("Servers share an address if they have the same TLS, and the one of an update")
  void shared() throws Exception {
    RpcServer first = listen(server(serving(ONE).setTrustOptions(ONE.trusted())));
    SocketAddress here = SocketAddress.inetSocketAddress(first.actualPort(), "127.0.0.1");
    Waiting.await(first.close());
    RpcServerOptions options = server(serving(ONE).setTrustOptions(ONE.trusted()));
    Waiting.await(RpcServer.create(vertx, options).bind(echo).listen(here));
    RpcServer second = Waiting.await(RpcServer.create(vertx, options).bind(echo).listen(here));
    RpcServer strict = RpcServer.create(vertx, server(options.getTls().orElseThrow()
        .setClientAuth(ClientAuth.REQUIRED))).bind(echo);
    assertThat(Waiting.awaitFailure(strict.listen(here))).isInstanceOf(RpcListenException.class);
    assertThat(Waiting.awaitFailure(RpcServer.create(vertx, new RpcServerOptions().setProvider("siw")).listen(here)))
        .isInstanceOf(RpcListenException.class);
    assertThat(Waiting.await(second.updateSSLOptions(serving(OTHER)))).isTrue();
    Waiting.await(RpcServer.create(vertx, server(serving(OTHER))).bind(echo).listen(here));
    RpcClient client = RpcClient.create(vertx, client(trusting(OTHER)));
    for (int i = 0; i < 3; i++) {
      assertThat(shownTo(client.channel(here))).isEqualTo(certificate(OTHER));
    }
  }

  @Test
  @DisplayName("A provider without TLS neither connects nor listens with it, and is named")
  void providerWithout() {
    RpcServer plain = listen(new RpcServerOptions().setProvider("memory"));
    Throwable refusal = refusal(channel(plain, client(trusting(ONE)).setProvider("memory")));
    assertThat(refusal).hasMessageContaining("The provider 'memory' has no TLS").hasMessageContaining("'siw'");
    assertThat(kind(refusal)).isEqualTo(VerbsException.Kind.UNSUPPORTED);
    for (RpcServerOptions options : List.of(server(serving(ONE)).setProvider("memory"),
        server(serving(ONE)).addProvider("siw", NONE).addProvider("memory", NONE))) {
      Throwable failure = Waiting.awaitFailure(RpcServer.create(vertx, options).listen(anyPort()));
      assertThat(failure).isInstanceOf(RpcListenException.class)
          .hasMessageContaining("The provider 'memory' has no TLS");
      assertThat(kind(failure)).isEqualTo(VerbsException.Kind.UNSUPPORTED);
    }
  }

  @Test
  @DisplayName("A client with TLS falls back to a provider that has it, and to no other")
  void fallback() {
    RpcServer plain = listen(new RpcServerOptions().addProvider("siw", NONE).addProvider("memory", NONE));
    RpcClientOptions options = new RpcClientOptions().setTls(trusting(ONE)).setProviderFallback(true);
    try (LoggedMessages log = new LoggedMessages("dev.rpcrdma.api.impl.client.RpcClientImpl")) {
      RpcChannel channel =
          channel(plain, new RpcClientOptions(options).addProvider("siw", NONE).addProvider("memory", NONE));
      assertThat(refusal(channel)).hasMessageContaining("TLS handshake");
      assertThat(Waiting.await(channel.snapshot()).fallbacks()).isZero();
      assertThat(log.all()).isEmpty();
    }
    assertThat(plain.connectionCount()).isZero();
    RpcServer secured = listen(server(serving(ONE)));
    RpcChannel channel = channel(secured,
        new RpcClientOptions(options).addProvider("memory", NONE).addProvider("siw", NONE));
    assertCalls(channel);
    assertThat(Waiting.await(channel.snapshot()).provider()).contains("siw");
    assertThat(Waiting.await(channel.snapshot()).fallbacks()).isOne();
  }

  /** Fails if {@code RpcClientImpl.mayFallBack} refuses what cannot be opened. */
  @Test
  @DisplayName("A client with TLS tells of the provider that it would fall back to if that cannot be opened")
  void fallbackToNothing() {
    RpcClientOptions options = new RpcClientOptions().setTls(trusting(ONE)).setProviderFallback(true)
        .addProvider("siw", NONE).addProvider("infiniband9000", NONE);
    RpcClient client = RpcClient.create(vertx, options);
    assertThat(refusal(client.channel(SocketAddress.inetSocketAddress(FreePort.find(), "127.0.0.1"))))
        .hasMessageContaining("infiniband9000");
  }

  @Test
  @DisplayName("A handshake that never ends has a deadline")
  void endless() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      RpcClient client = RpcClient.create(vertx, client(trusting(ONE)).setConnectTimeout(Duration.ofMillis(200)));
      Throwable refusal =
          refusal(client.channel(SocketAddress.inetSocketAddress(silent.getLocalPort(), "127.0.0.1")));
      assertThat(refusal).hasMessageContaining("TLS handshake");
      assertThat(kind(refusal)).isEqualTo(VerbsException.Kind.TIMEOUT);
    }
  }

  @Test
  @DisplayName("Keys that cannot be read fail what needs them, and no password is told")
  void unreadable() {
    PfxOptions locked = new PfxOptions(ONE.pfx()).setPassword(SECRET);
    Throwable refused = Waiting.awaitFailure(RpcServer.create(vertx,
        server(serving(ONE).setKeyCertOptions(locked))).listen(anyPort()));
    assertThat(refused).isInstanceOf(RpcListenException.class).hasMessageContaining("TLS options")
        .hasStackTraceContaining("TLS options");
    RpcServer server = listen(server(serving(ONE)));
    RpcChannel channel = channel(server, client(trusting(ONE).setKeyCertOptions(locked)));
    assertThat(refusal(channel)).hasMessageContaining("TLS options").hasMessageNotContaining(SECRET);
    assertThat(Waiting.await(channel.snapshot()).toString() + Waiting.await(server.snapshot()) + channel + server
        + new RpcClientOptions().setTls(trusting(ONE).setKeyCertOptions(locked)) + refused + refused.getCause())
        .doesNotContain(SECRET);
  }

  /** Fails if {@code ReloadableTls.get} keeps what could not be read. */
  @Test
  @DisplayName("Files that could not be read are read again for the next connection")
  void readAgain(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("trust.pem");
    RpcServer server = listen(server(serving(ONE)));
    RpcChannel channel = channel(server,
        client(new ClientSSLOptions().setTrustOptions(new PemTrustOptions().addCertPath(file.toString()))));
    assertThat(refusal(channel)).hasMessageContaining("TLS options");
    Files.write(file, ONE.trusted().getCertValues().get(0).getBytes());
    assertCalls(channel);
  }

  @Test
  @DisplayName("Calls go in both directions beneath TLS")
  void reverse() {
    BlockingQueue<RpcConnection> accepted = new LinkedBlockingQueue<>();
    RpcServer server = listen(server(serving(ONE))).connectionHandler(accepted::add);
    RpcChannel channel = channel(server, client(trusting(ONE))).bind(echo);
    assertCalls(channel);
    Future<Buffer> back = Waiting.next(accepted).call(EchoService.echo(new byte[] {2}));
    assertThat(Waiting.await(back).getBytes()).containsExactly(2);
  }
}
