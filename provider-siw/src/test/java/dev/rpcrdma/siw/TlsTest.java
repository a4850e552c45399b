package dev.rpcrdma.siw;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.testkit.TestKeys;
import dev.rpcrdma.testkit.VerbsBed;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.DeviceOptions;
import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.VerbsException.Kind;
import dev.rpcrdma.verbs.VerbsListener;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.SocketAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What TLS refuses, and how it is told. */
@DisplayName("siw over TLS: refusals")
final class TlsTest {

  private static final TestKeys SERVER = TestKeys.forNames("ip:127.0.0.1");
  private static final TestKeys STRANGER = TestKeys.forNames("ip:127.0.0.1");
  private static final TestKeys ELSEWHERE = TestKeys.forNames("dns:elsewhere.example");

  private static final JsonObject PLAIN = new JsonObject();
  private static final JsonObject SERVING =
      tls(new JsonObject().put("pemKeyCertOptions", SERVER.pem()));
  private static final JsonObject TRUSTING =
      tls(new JsonObject().put("pemTrustOptions", SERVER.trust()));

  private static JsonObject tls(JsonObject options) {
    return new JsonObject().put("tls", options);
  }

  private static VerbsBed bed(JsonObject settings) {
    return new VerbsBed(new SiwProvider(), DeviceOptions.DEFAULT.withSettings(settings));
  }

  /** Connects from one to the other, and tells how it fails, if it does. */
  private static VerbsException refusal(JsonObject serving, JsonObject connecting) {
    try (VerbsBed servers = bed(serving); VerbsBed clients = bed(connecting)) {
      VerbsListener listener = servers.listen(request ->
          servers.accept(request, servers.server(), ConnectionOptions.DEFAULT));
      return connect(clients, listener.localAddress().port(), Duration.ofSeconds(10));
    }
  }

  private static VerbsException connect(VerbsBed clients, int port, Duration within) {
    ConnectionOptions options = ConnectionOptions.DEFAULT.withTimeout(within);
    Future<Void> connected = clients.connect(
        SocketAddress.inetSocketAddress(port, VerbsBed.HOST), clients.client(), options).mapEmpty();
    return (VerbsException) Waiting.await(
        connected.<Throwable>map(done -> null).recover(Future::succeededFuture));
  }

  private static void assertRefused(VerbsException refusal, Kind kind, String... words) {
    assertThat(refusal).isNotNull();
    assertThat(refusal.kind()).isEqualTo(kind);
    assertThat(refusal).hasMessageContainingAll(words);
  }

  @Test
  @DisplayName("A certificate that is trusted and names the host is taken, as text or as a store")
  void taken() {
    assertThat(refusal(SERVING, TRUSTING)).isNull();
    assertThat(refusal(tls(new JsonObject().put("pfxKeyCertOptions", SERVER.pfx())), TRUSTING))
        .isNull();
  }

  @Test
  @DisplayName("Without TLS on the serving side, the connecting side says what is missing")
  void serverWithout() {
    assertRefused(refusal(PLAIN, TRUSTING), Kind.PROTOCOL, "TLS handshake", "setting 'tls'");
  }

  @Test
  @DisplayName("Without TLS on the connecting side, it says what is missing")
  void clientWithout() {
    assertRefused(refusal(SERVING, PLAIN), Kind.PROTOCOL, "TLS", "setting 'tls'");
  }

  @Test
  @DisplayName("A certificate that nobody trusts is refused")
  void untrusted() {
    assertRefused(refusal(SERVING, tls(new JsonObject())), Kind.PROTOCOL, "TLS handshake");
    assertRefused(refusal(SERVING, tls(new JsonObject()
        .put("pemTrustOptions", STRANGER.trust()))), Kind.PROTOCOL, "TLS handshake");
  }

  @Test
  @DisplayName("A certificate of another host is refused, unless that is not to be looked at")
  void otherHost() {
    JsonObject serving = tls(new JsonObject().put("pemKeyCertOptions", ELSEWHERE.pem()));
    JsonObject trust = new JsonObject().put("pemTrustOptions", ELSEWHERE.trust());
    assertRefused(refusal(serving, tls(trust)), Kind.PROTOCOL, "TLS handshake");
    assertThat(refusal(serving, tls(trust.copy().put("verifyHost", false)))).isNull();
  }

  @Test
  @DisplayName("R-323: mutual TLS refuses who has no certificate, or one that is not trusted")
  void mutual() {
    JsonObject serving = tls(new JsonObject().put("pemKeyCertOptions", SERVER.pem())
        .put("pemTrustOptions", SERVER.trust()).put("clientAuth", "REQUIRED"));
    JsonObject trust = new JsonObject().put("pemTrustOptions", SERVER.trust());
    assertRefused(refusal(serving, tls(trust)), Kind.DISCONNECTED, "before it answered");
    assertRefused(refusal(serving, tls(trust.copy().put("pemKeyCertOptions", STRANGER.pem()))),
        Kind.DISCONNECTED, "before it answered");
    assertThat(refusal(serving, tls(trust.copy().put("pemKeyCertOptions", SERVER.pem()))))
        .isNull();
  }

  @Test
  @DisplayName("A peer that takes TCP and says nothing: the deadline tells of TLS")
  void silent() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getByName(VerbsBed.HOST));
        VerbsBed clients = bed(TRUSTING)) {
      assertRefused(connect(clients, silent.getLocalPort(), Duration.ofMillis(200)), Kind.TIMEOUT,
          "TLS handshake");
    }
  }

  @Test
  @DisplayName("To listen takes a certificate")
  void noCertificate() {
    try (VerbsBed bed = bed(TRUSTING)) {
      assertThatThrownBy(() -> bed.listen(request -> request.reject(Buffer.buffer())))
          .hasStackTraceContaining("needs a key and a certificate");
    }
  }

  @Test
  @DisplayName("Settings that cannot be used are named when the device is opened")
  void unusable(@TempDir Path folder) throws IOException {
    assertUnusable(new JsonObject().put("pemKey", 1), "pemKey");
    assertUnusable(new JsonObject().put("clientAuth", "MAYBE"), "clientAuth");
    assertUnusable(new JsonObject().put("verifyHost", "no"), "'tls'");
    assertUnusable(new JsonObject().put("pemTrustOptions", SERVER.trust())
        .put("pfxTrustOptions", SERVER.pfx()), "Only one of");
    assertUnusable(new JsonObject().put("pfxKeyCertOptions",
        SERVER.pfx().put("password", "wrong")), "'tls'");
    Path garbage = Files.writeString(folder.resolve("garbage.pem"), "not a certificate");
    for (Path path : new Path[] {garbage, folder.resolve("missing.pem")}) {
      assertUnusable(new JsonObject().put("pemKeyCertOptions", new JsonObject()
          .put("certPath", path.toString()).put("keyPath", path.toString())), "'tls'");
    }
  }

  private static void assertUnusable(JsonObject options, String word) {
    Vertx vertx = Vertx.vertx();
    try {
      DeviceOptions unusable = DeviceOptions.DEFAULT.withSettings(tls(options));
      assertThatThrownBy(() -> new SiwProvider().open(vertx, unusable))
          .isInstanceOf(VerbsException.class).hasMessageContaining(word)
          .extracting(e -> ((VerbsException) e).kind()).isEqualTo(Kind.INVALID_ARGUMENT);
    } finally {
      Waiting.await(vertx.close());
    }
  }
}
