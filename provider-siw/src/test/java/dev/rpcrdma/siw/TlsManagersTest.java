// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.testkit.TestKeys;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.verbs.VerbsException;
import io.netty.handler.ssl.util.SimpleKeyManagerFactory;
import io.netty.handler.ssl.util.SimpleTrustManagerFactory;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.ServerSSLOptions;
import io.vertx.core.net.TrustOptions;
import java.net.Socket;
import java.security.KeyStore;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.ManagerFactoryParameters;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509KeyManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Keys and trust that are an application's own code, and names that are said in other ways. */
@DisplayName("siw over TLS: managers of an application, and names")
@Tag("large")
final class TlsManagersTest {

  private static final TestKeys KEYS = TestKeys.forNames("ip:127.0.0.1,dns:localhost");
  /** Revokes what nobody has. */
  private static final Buffer LIST = TestKeys.forNames("dns:other.example").revocation();

  private static ServerSSLOptions serving() {
    return new ServerSSLOptions().setKeyCertOptions(KEYS.keys());
  }

  private static ClientSSLOptions trusting(CertificateException refusal) {
    return new ClientSSLOptions().setTrustOptions(own(refusal));
  }

  private static TrustOptions own(CertificateException refusal) {
    return wrapped(new Judge(refusal));
  }

  private static TrustOptions wrapped(TrustManager manager) {
    return TrustOptions.wrap(new SimpleTrustManagerFactory() {
      @Override
      protected void engineInit(KeyStore store) {
        // It is ready.
      }

      @Override
      protected void engineInit(ManagerFactoryParameters parameters) {
        // It is ready.
      }

      @Override
      protected TrustManager[] engineGetTrustManagers() {
        return new TrustManager[] {manager};
      }
    });
  }

  private static KeyCertOptions chosenByItself() throws Exception {
    Vertx vertx = Vertx.vertx();
    try {
      X509KeyManager keys = (X509KeyManager) KEYS.keys().getKeyManagerFactory(vertx).getKeyManagers()[0];
      return KeyCertOptions.wrap(new SimpleKeyManagerFactory() {
        @Override
        protected void engineInit(KeyStore store, char[] password) {
          // It is ready.
        }

        @Override
        protected void engineInit(ManagerFactoryParameters parameters) {
          // It is ready.
        }

        @Override
        protected KeyManager[] engineGetKeyManagers() {
          return new KeyManager[] {new Chooser(keys, keys.getServerAliases("EC", null)[0])};
        }
      });
    } finally {
      Waiting.await(vertx.close());
    }
  }

  private static VerbsException refusal(ServerSSLOptions serving, ClientSSLOptions connecting) {
    try (TlsBed bed = new TlsBed()) {
      return bed.connect(bed.listen(Optional.of(serving)), Optional.of(connecting));
    }
  }

  /** Fails if {@code Revocation.before} makes a plain manager of each. */
  @Test
  @DisplayName("A trust manager that judges with the connection at hand is asked in that way, also with lists of revoked")
  void extended() {
    CertificateException no = new CertificateException("not this one");
    assertThat(refusal(serving(), trusting(no))).hasMessageContaining("TLS handshake");
    assertThat(refusal(serving(), trusting(no).addCrlValue(LIST))).hasMessageContaining("TLS handshake");
    assertThat(refusal(serving(), trusting(null).addCrlValue(LIST))).isNull();
    assertThat(refusal(serving(), trusting(null).addCrlValue(KEYS.revocation()))).hasMessageContaining("TLS handshake");
    ServerSSLOptions mutual = serving().setTrustOptions(own(no)).setClientAuth(ClientAuth.REQUIRED);
    ClientSSLOptions showing = trusting(null).setKeyCertOptions(KEYS.keys());
    assertThat(refusal(mutual, showing)).isNotNull();
    assertThat(refusal(mutual.copy().addCrlValue(LIST), showing)).isNotNull();
    assertThat(refusal(mutual.copy().setTrustOptions(own(null)).addCrlValue(LIST), showing)).isNull();
  }

  /** Fails if {@code Revocation.Plain} looks into no list, or hides from the JDK that it is plain. */
  @Test
  @DisplayName("A trust manager that judges chains alone: the JDK verifies the host, and who is revoked is refused")
  void plain() {
    ClientSSLOptions trusting = new ClientSSLOptions().setTrustOptions(wrapped(new Everybody()));
    ClientSSLOptions listing = trusting.copy().addCrlValue(LIST);
    assertThat(refusal(serving(), trusting)).isNull();
    assertThat(refusal(serving(), listing)).isNull();
    assertThat(refusal(serving(), trusting.copy().addCrlValue(KEYS.revocation()))).hasMessageContaining("revoked");
    assertThat(refusal(new ServerSSLOptions().setKeyCertOptions(TestKeys.forNames("dns:other.example").keys()), listing))
        .hasMessageContaining("does not have the name or address that was connected to");
    ServerSSLOptions mutual = serving().setTrustOptions(wrapped(new Everybody())).setClientAuth(ClientAuth.REQUIRED);
    ClientSSLOptions showing = trusting.copy().setKeyCertOptions(KEYS.keys());
    assertThat(refusal(mutual.copy().addCrlValue(LIST), showing)).isNull();
    assertThat(refusal(mutual.copy().addCrlValue(KEYS.revocation()), showing)).isNotNull();
  }

  /** Fails if {@code Causes.of} has no bound: the event loop would look for the last one for ever. */
  @Test
  @DisplayName("A refusal whose causes go round in a circle, and one without words")
  void refusals() {
    Exception first = new IllegalStateException("first");
    first.initCause(new IllegalStateException("second", first));
    assertThat(refusal(serving(), trusting(new CertificateException("circular", first))))
        .hasMessageContaining("TLS handshake");
    assertThat(refusal(serving(), trusting(new CertificateException()))).hasMessageContaining("TLS handshake")
        .hasMessageNotContaining("null");
  }

  /** Fails if {@code KeyPairs.aliases} lets through what {@code getServerAliases} throws. */
  @Test
  @DisplayName("A key manager that chooses by itself, and lists nothing, is taken")
  void chooser() throws Exception {
    assertThat(refusal(serving().setKeyCertOptions(chosenByItself()),
        new ClientSSLOptions().setTrustOptions(KEYS.trusted()))).isNull();
  }

  /** Fails if {@code LoadedClientTls.name} leaves the dot, which no name of a certificate has. */
  @Test
  @DisplayName("An absolute name, with a dot at its end, is said without the dot")
  void absoluteName() {
    TestKeys other = TestKeys.forNames("dns:other.example");
    ServerSSLOptions both = new ServerSSLOptions().setSni(true).setKeyCertOptions(new PemKeyCertOptions()
        .addKeyValue(other.keys().getKeyValue()).addCertValue(other.keys().getCertValue())
        .addKeyValue(KEYS.keys().getKeyValue()).addCertValue(KEYS.keys().getCertValue()));
    ClientSSLOptions trusting = new ClientSSLOptions().setTrustOptions(new PemTrustOptions()
        .addCertValue(other.keys().getCertValue()).addCertValue(KEYS.keys().getCertValue()));
    try (TlsBed bed = new TlsBed()) {
      int port = bed.listen(Optional.of(both));
      assertThat(bed.connect("localhost", port, trusting)).isNull();
      assertThat(bed.connect("localhost.", port, trusting)).isNull();
    }
  }

  /** Trusts everybody. */
  private static final class Everybody implements X509TrustManager {

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) {
      // Everybody is trusted.
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) {
      // Everybody is trusted.
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }

  /** Has an opinion of its own, which it tells who asks with a connection, and nobody else. */
  private static final class Judge extends X509ExtendedTrustManager {

    private final CertificateException refusal;

    Judge(CertificateException refusal) {
      this.refusal = refusal;
    }

    private void judge() throws CertificateException {
      if (refusal != null) {
        throw refusal;
      }
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
        throws CertificateException {
      judge();
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
        throws CertificateException {
      judge();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket) {
      // Nobody asks with a socket.
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket) {
      // Nobody asks with a socket.
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) {
      // It says nothing.
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) {
      // It says nothing.
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }

  /** Chooses the one key that there is. */
  private static final class Chooser extends X509ExtendedKeyManager {

    private final X509KeyManager keys;
    private final String alias;

    Chooser(X509KeyManager keys, String alias) {
      this.keys = keys;
      this.alias = alias;
    }

    @Override
    public String chooseEngineServerAlias(String keyType, Principal[] issuers, SSLEngine engine) {
      return "EC".equals(keyType) ? alias : null;
    }

    @Override
    public X509Certificate[] getCertificateChain(String name) {
      return keys.getCertificateChain(alias);
    }

    @Override
    public PrivateKey getPrivateKey(String name) {
      return keys.getPrivateKey(alias);
    }

    @Override
    public String[] getClientAliases(String keyType, Principal[] issuers) {
      throw new UnsupportedOperationException();
    }

    @Override
    public String chooseClientAlias(String[] keyType, Principal[] issuers, Socket socket) {
      throw new UnsupportedOperationException();
    }

    @Override
    public String[] getServerAliases(String keyType, Principal[] issuers) {
      throw new UnsupportedOperationException();
    }

    @Override
    public String chooseServerAlias(String keyType, Principal[] issuers, Socket socket) {
      throw new UnsupportedOperationException();
    }
  }
}
