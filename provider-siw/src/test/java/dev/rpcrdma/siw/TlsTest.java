// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.testkit.TestKeys;
import dev.rpcrdma.testkit.VerbsBed;
import dev.rpcrdma.verbs.QueuePair;
import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.VerbsException.Kind;
import io.vertx.core.Vertx;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.PfxOptions;
import io.vertx.core.net.ServerSSLOptions;
import io.vertx.core.net.TrustOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What TLS refuses, and how it is told. */
@DisplayName("siw over TLS: refusals")
@Tag("large")
final class TlsTest {

  private static final TestKeys SERVER = TestKeys.forNames("ip:127.0.0.1");
  private static final TestKeys STRANGER = TestKeys.forNames("ip:127.0.0.1");
  private static final TestKeys ELSEWHERE = TestKeys.forNames("dns:elsewhere.example");

  private static ServerSSLOptions serving() {
    return new ServerSSLOptions().setKeyCertOptions(SERVER.keys());
  }

  private static ClientSSLOptions trusting() {
    return new ClientSSLOptions().setTrustOptions(SERVER.trusted());
  }

  /** Connects from one to the other, and tells how it fails, if it does. */
  private static VerbsException refusal(ServerSSLOptions serving, ClientSSLOptions connecting) {
    try (TlsBed bed = new TlsBed()) {
      return bed.connect(bed.listen(Optional.ofNullable(serving)), Optional.ofNullable(connecting));
    }
  }

  private static void assertRefused(VerbsException refusal, Kind kind, String... words) {
    assertThat(refusal).isNotNull();
    assertThat(refusal.kind()).isEqualTo(kind);
    assertThat(refusal).hasMessageContainingAll(words);
  }

  @Test
  @DisplayName("A certificate that is trusted and names the host is taken, as text or as a store")
  void taken() {
    assertThat(refusal(serving(), trusting())).isNull();
    assertThat(refusal(new ServerSSLOptions().setKeyCertOptions(new PfxOptions(SERVER.pfx())), trusting()))
        .isNull();
  }

  @Test
  @DisplayName("Without TLS on the serving side, the connecting side says what is missing")
  void serverWithout() {
    assertRefused(refusal(null, trusting()), Kind.PROTOCOL, "TLS handshake", "option 'tls'");
  }

  @Test
  @DisplayName("Without TLS on the connecting side, it says what is missing")
  void clientWithout() {
    assertRefused(refusal(serving(), null), Kind.PROTOCOL, "TLS", "option 'tls'");
    assertRefused(refusal(serving().setSni(true), null), Kind.PROTOCOL, "TLS", "option 'tls'");
  }

  @Test
  @DisplayName("A certificate that nobody trusts is refused, and all are taken by who trusts all")
  void untrusted() {
    assertRefused(refusal(serving(), new ClientSSLOptions()), Kind.PROTOCOL, "TLS handshake");
    ClientSSLOptions strange = new ClientSSLOptions().setTrustOptions(STRANGER.trusted());
    assertRefused(refusal(serving(), strange), Kind.PROTOCOL, "TLS handshake");
    assertThat(refusal(serving(), new ClientSSLOptions().setTrustAll(true))).isNull();
  }

  @Test
  @DisplayName("A certificate of another host is refused, unless that is not to be looked at")
  void otherHost() {
    ServerSSLOptions serving = new ServerSSLOptions().setKeyCertOptions(ELSEWHERE.keys());
    ClientSSLOptions trusting = new ClientSSLOptions().setTrustOptions(ELSEWHERE.trusted());
    assertRefused(refusal(serving, trusting), Kind.PROTOCOL, "hostnameVerificationAlgorithm");
    assertRefused(refusal(serving, trusting.copy().setHostnameVerificationAlgorithm("HTTPS")), Kind.PROTOCOL,
        "TLS handshake");
    assertRefused(refusal(serving, new ClientSSLOptions().setTrustAll(true)), Kind.PROTOCOL, "TLS handshake");
    assertThat(refusal(serving, trusting.copy().setHostnameVerificationAlgorithm(""))).isNull();
  }

  @Test
  @DisplayName("R-323: mutual TLS refuses who has no certificate, or one that is not trusted")
  void mutual() {
    ServerSSLOptions serving = serving().setTrustOptions(SERVER.trusted()).setClientAuth(ClientAuth.REQUIRED);
    assertRefused(refusal(serving, trusting()), Kind.DISCONNECTED, "before it answered");
    assertRefused(refusal(serving, trusting().setKeyCertOptions(STRANGER.keys())),
        Kind.DISCONNECTED, "before it answered");
    assertThat(refusal(serving, trusting().setKeyCertOptions(SERVER.keys()))).isNull();
    assertThat(refusal(serving.copy().setClientAuth(ClientAuth.REQUEST), trusting())).isNull();
  }

  /** Trusts the server's certificate, and under one name a stranger's alone. */
  private record TrustByName(String name) implements TrustOptions {

    @Override
    public TrustOptions copy() {
      return this;
    }

    @Override
    public TrustManagerFactory getTrustManagerFactory(Vertx vertx) throws Exception {
      return SERVER.trusted().getTrustManagerFactory(vertx);
    }

    @Override
    public Function<String, TrustManager[]> trustManagerMapper(Vertx vertx) throws Exception {
      TrustManager[] named = STRANGER.trusted().getTrustManagerFactory(vertx).getTrustManagers();
      return asked -> asked.equals(name) ? named : null;
    }
  }

  /** Fails if {@code SslContexts.server} makes what is for a name with the trust that is for all. */
  @Test
  @DisplayName("Whom a server trusts under the name that is asked for, and under its others")
  void trustByName() {
    for (String name : new String[] {"localhost", "elsewhere"}) {
      ServerSSLOptions serving = serving().setSni(true).setClientAuth(ClientAuth.REQUIRED)
          .setTrustOptions(new TrustByName(name));
      ClientSSLOptions connecting = trusting().setHostnameVerificationAlgorithm("");
      try (TlsBed bed = new TlsBed()) {
        int port = bed.listen(Optional.of(serving));
        boolean asked = name.equals("localhost");
        TestKeys right = asked ? STRANGER : SERVER;
        TestKeys wrong = asked ? SERVER : STRANGER;
        assertThat(bed.connect("localhost", port, connecting.copy().setKeyCertOptions(right.keys()))).isNull();
        assertThat(bed.connect("localhost", port, connecting.copy().setKeyCertOptions(wrong.keys()))).isNotNull();
      }
    }
  }

  /** Fails if {@code SiwQueuePair.localCertificates} has the peer's, or none. */
  @Test
  @DisplayName("R-323 R-329: both ends say the same of who has shown which certificate")
  void shown() {
    ServerSSLOptions mutual = serving().setTrustOptions(STRANGER.trusted()).setClientAuth(ClientAuth.REQUIRED);
    try (TlsBed bed = new TlsBed()) {
      VerbsBed.Pair pair = bed.pair(Optional.of(mutual), Optional.of(trusting().setKeyCertOptions(STRANGER.keys())));
      assertThat(pair.server().call(QueuePair::localCertificates)).hasSize(1)
          .isEqualTo(pair.client().call(QueuePair::peerCertificates));
      assertThat(pair.client().call(QueuePair::localCertificates)).hasSize(1)
          .isEqualTo(pair.server().call(QueuePair::peerCertificates))
          .isNotEqualTo(pair.client().call(QueuePair::peerCertificates));
      VerbsBed.Pair asked = bed.pair(Optional.of(mutual.copy().setClientAuth(ClientAuth.REQUEST)),
          Optional.of(trusting().setKeyCertOptions(STRANGER.keys())));
      assertThat(asked.server().call(QueuePair::peerCertificates)).hasSize(1);
      VerbsBed.Pair oneWay = bed.pair(Optional.of(serving()), Optional.of(trusting()));
      assertThat(oneWay.client().call(QueuePair::localCertificates)).isEmpty();
      assertThat(bed.pair(Optional.empty(), Optional.empty()).server().call(QueuePair::localCertificates)).isEmpty();
    }
  }

  @Test
  @DisplayName("A certificate that was revoked is refused, on both sides")
  void revoked() {
    assertRefused(refusal(serving(), trusting().addCrlValue(SERVER.revocation())), Kind.PROTOCOL, "TLS handshake");
    ServerSSLOptions serving = serving().setTrustOptions(STRANGER.trusted()).setClientAuth(ClientAuth.REQUIRED);
    ClientSSLOptions showing = trusting().setKeyCertOptions(STRANGER.keys());
    assertThat(refusal(serving, showing)).isNull();
    assertRefused(refusal(serving.copy().addCrlValue(STRANGER.revocation()), showing), Kind.DISCONNECTED,
        "before it answered");
  }

  @Test
  @DisplayName("Sides without a protocol or a cipher suite in common do not connect")
  void nothingInCommon() {
    ClientSSLOptions newer = trusting().setEnabledSecureTransportProtocols(Set.of("TLSv1.3"));
    ServerSSLOptions older = serving().setEnabledSecureTransportProtocols(Set.of("TLSv1.2"));
    assertThat(refusal(serving(), newer)).isNull();
    assertThat(refusal(older, trusting())).isNull();
    assertRefused(refusal(older, newer), Kind.PROTOCOL, "TLS handshake");
    assertRefused(refusal(serving().addEnabledCipherSuite("TLS_AES_256_GCM_SHA384"),
        newer.copy().addEnabledCipherSuite("TLS_AES_128_GCM_SHA256")), Kind.PROTOCOL, "TLS handshake");
  }

  @Test
  @DisplayName("A peer that takes TCP and says nothing: the deadline tells of TLS")
  void silent() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getByName(VerbsBed.HOST));
        TlsBed bed = new TlsBed()) {
      assertRefused(bed.connect(silent.getLocalPort(), Optional.of(trusting()), Duration.ofMillis(200)), Kind.TIMEOUT,
          "TLS handshake");
      ClientSSLOptions hasty = trusting().setSslHandshakeTimeoutUnit(TimeUnit.MILLISECONDS).setSslHandshakeTimeout(100);
      assertRefused(bed.connect(silent.getLocalPort(), Optional.of(hasty)), Kind.TIMEOUT, "TLS handshake", "100ms");
    }
  }

  /** The beginning of a record of a handshake, and no more of it. */
  private static void assertClosed(ServerSSLOptions serving, JsonObject settings) throws IOException {
    try (TlsBed bed = new TlsBed(settings);
        Socket socket = new Socket(VerbsBed.HOST, bed.listen(Optional.of(serving)))) {
      // Netty would end a handshake after ten seconds, if it were not told when.
      socket.setSoTimeout(8_000);
      socket.getOutputStream().write(new byte[] {22, 3, 1});
      assertThat(socket.getInputStream().readAllBytes()).isEmpty();
    }
  }

  @Test
  @DisplayName("A peer that begins the handshake and never ends it is closed, by whichever deadline comes first")
  void endless() throws IOException {
    JsonObject hasty = new JsonObject().put("startupTimeoutMillis", 100);
    ServerSSLOptions hastyTls =
        serving().setSslHandshakeTimeoutUnit(TimeUnit.MILLISECONDS).setSslHandshakeTimeout(100);
    JsonObject patient = new JsonObject().put("startupTimeoutMillis", 60_000);
    for (boolean byName : new boolean[] {false, true}) {
      assertClosed(serving().setSni(byName), hasty);
      assertClosed(hastyTls.copy().setSni(byName), patient);
    }
  }

  @Test
  @DisplayName("Who sends garbage in place of a handshake is closed, and others come in after it")
  void garbage() throws IOException {
    for (boolean byName : new boolean[] {false, true}) {
      try (TlsBed bed = new TlsBed()) {
        int port = bed.listen(Optional.of(serving().setSni(byName)));
        for (byte[] garbage : new byte[][] {{0, 1, 2, 3}, {22, 3, 1, 0, 4, 99, 99, 99, 99},
            {22, 3, 1, 0, 4, 1, 0, 0, 0}, {22, 0, 0, 0, 0, 0, 0, 0, 0}}) {
          try (Socket socket = new Socket(VerbsBed.HOST, port)) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(garbage);
            assertThat(socket.getInputStream().readAllBytes().length).isLessThan(10);
          }
        }
        assertThat(bed.connect(port, Optional.of(trusting()))).isNull();
      }
    }
  }
}
