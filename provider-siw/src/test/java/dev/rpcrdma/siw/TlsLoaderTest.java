// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rpcrdma.testkit.TestKeys;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.VerbsException.Kind;
import dev.rpcrdma.verbs.tls.TlsLoader;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.JksOptions;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.PfxOptions;
import io.vertx.core.net.ServerSSLOptions;
import io.vertx.core.net.TrustOptions;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** TLS options that cannot be used, or not as they say, are refused when they are read. */
@DisplayName("TLS options that cannot be used")
@Tag("slow")
final class TlsLoaderTest {

  private static final TestKeys KEYS = TestKeys.forNames("ip:127.0.0.1");
  private static final TestKeys OTHERS = TestKeys.forNames("ip:127.0.0.1");

  private final Vertx vertx = Vertx.vertx();

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  private static ServerSSLOptions serving() {
    return new ServerSSLOptions().setKeyCertOptions(KEYS.keys());
  }

  private void assertRefused(Future<?> loading, String... words) {
    assertThat(Waiting.awaitFailure(loading)).isInstanceOfSatisfying(VerbsException.class,
        e -> assertThat(e.kind()).isEqualTo(Kind.INVALID_ARGUMENT)).hasMessageContaining("TLS options");
    assertThat(List.of(words)).allSatisfy(word -> assertThat(loading.cause()).hasMessageContaining(word));
  }

  private void assertRefused(ServerSSLOptions options, String... words) {
    assertRefused(TlsLoader.server(vertx, options), words);
  }

  private void assertRefused(ClientSSLOptions options, String... words) {
    assertRefused(TlsLoader.client(vertx, options), words);
  }

  @Test
  @DisplayName("What is there to be taken, is")
  void usable() {
    Waiting.await(TlsLoader.server(vertx, serving()));
    Waiting.await(TlsLoader.server(vertx, serving().setKeyCertOptions(new PfxOptions(KEYS.pfx()))));
    PfxOptions chosen = new PfxOptions(KEYS.pfx()).setAlias("own");
    Waiting.await(TlsLoader.server(vertx, serving().setKeyCertOptions(chosen.setAliasPassword(chosen.getPassword()))));
    Waiting.await(TlsLoader.client(vertx, new ClientSSLOptions()));
  }

  @Test
  @DisplayName("A server without a key, and a key that is not the certificate's")
  void keys() {
    assertRefused(new ServerSSLOptions(), "needs a key and a certificate");
    PemKeyCertOptions mixed = KEYS.keys().setKeyValue(OTHERS.keys().getKeyValue());
    assertRefused(serving().setKeyCertOptions(mixed), "not that of the certificate", "CN=test");
    assertRefused(new ClientSSLOptions().setKeyCertOptions(mixed), "not that of the certificate");
  }

  /** Fails if {@code KeyPairs.fits} passes over keys of RSASSA-PSS. */
  @Test
  @DisplayName("A key of RSASSA-PSS that is not the certificate's, and one that is")
  void pss() throws GeneralSecurityException, IOException {
    PfxOptions fitting = new PfxOptions(TestKeys.pss().pfx());
    Waiting.await(TlsLoader.server(vertx, serving().setKeyCertOptions(fitting)));
    KeyStore mixed = open(fitting);
    char[] password = fitting.getPassword().toCharArray();
    mixed.setKeyEntry("own", open(new PfxOptions(TestKeys.pss().pfx())).getKey("own", password), password,
        mixed.getCertificateChain("own"));
    assertRefused(serving().setKeyCertOptions(written(mixed, fitting.getPassword())), "not that of the certificate");
    PfxOptions another = new PfxOptions(KEYS.pfx());
    mixed.setKeyEntry("own", open(another).getKey("own", another.getPassword().toCharArray()), password,
        mixed.getCertificateChain("own"));
    assertRefused(serving().setKeyCertOptions(written(mixed, fitting.getPassword())), "not that of the certificate");
  }

  /** Fails if {@code KeyPairs.fits} lets through what a signature of another length throws. */
  @ParameterizedTest
  @CsvSource({"ed25519, ed448", "ed448, ed25519"})
  @DisplayName("A key of another curve than the certificate's")
  void curves(String curve, String other) throws GeneralSecurityException, IOException {
    assertMixedIsRefused(TestKeys.edwards(curve), TestKeys.edwards(other));
  }

  /** Fails if {@code KeyPairs.TYPES} has no RSA. */
  @Test
  @DisplayName("An RSA key that is not the certificate's, and one that is")
  void rsa() throws GeneralSecurityException, IOException {
    TestKeys keys = TestKeys.rsa();
    Waiting.await(TlsLoader.server(vertx, serving().setKeyCertOptions(new PfxOptions(keys.pfx()))));
    assertMixedIsRefused(keys, TestKeys.rsa());
  }

  private void assertMixedIsRefused(TestKeys certificate, TestKeys key) throws GeneralSecurityException, IOException {
    PfxOptions fitting = new PfxOptions(certificate.pfx());
    KeyStore mixed = open(fitting);
    char[] password = fitting.getPassword().toCharArray();
    mixed.setKeyEntry("own", open(new PfxOptions(key.pfx())).getKey("own", password), password,
        mixed.getCertificateChain("own"));
    assertRefused(serving().setKeyCertOptions(written(mixed, fitting.getPassword())), "not that of the certificate");
  }

  private static KeyStore open(PfxOptions options) throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(new ByteArrayInputStream(options.getValue().getBytes()), options.getPassword().toCharArray());
    return store;
  }

  private static PfxOptions written(KeyStore store, String password) throws GeneralSecurityException, IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    store.store(bytes, password.toCharArray());
    return new PfxOptions().setValue(Buffer.buffer(bytes.toByteArray())).setPassword(password);
  }

  /** Fails if {@code Credentials.checkComplete} is not asked: handshakes would fail, each of them. */
  @Test
  @DisplayName("Options that name no key or no certificate, and stores without any")
  void nothing() throws GeneralSecurityException, IOException {
    PfxOptions whole = new PfxOptions(KEYS.pfx());
    KeyStore store = open(whole);
    Certificate certificate = store.getCertificate("own");
    store.deleteEntry("own");
    PfxOptions empty = written(store, whole.getPassword());
    store.setCertificateEntry("other", certificate);
    PfxOptions keyless = written(store, whole.getPassword());
    for (KeyCertOptions keys : List.of(new PemKeyCertOptions(), new JksOptions(), empty, keyless)) {
      assertRefused(serving().setKeyCertOptions(keys), keys.getClass().getSimpleName() + " has no key");
      assertRefused(new ClientSSLOptions().setKeyCertOptions(keys), " has no key");
    }
    for (TrustOptions trusted : List.of(new PemTrustOptions(), new JksOptions(), empty)) {
      assertRefused(new ClientSSLOptions().setTrustOptions(trusted),
          trusted.getClass().getSimpleName() + " has no certificate");
      assertRefused(serving().setTrustOptions(trusted), " has no certificate");
    }
    Waiting.await(TlsLoader.client(vertx, new ClientSSLOptions().setTrustOptions(keyless)));
    // It is not looked at.
    Waiting.await(TlsLoader.client(vertx, new ClientSSLOptions().setTrustAll(true).setTrustOptions(KEYS.trusted())));
  }

  @Test
  @DisplayName("What says nothing when it fails is called by its name")
  void noWords() {
    assertRefused(serving().setKeyCertOptions(new JksOptions().setValue(Buffer.buffer()).setPassword("x")),
        "EOFException");
    assertRefused(serving().addEnabledCipherSuite(null), "enabledCipherSuites has \"null\"");
  }

  @Test
  @DisplayName("What Vert.x takes is taken: nobody is asked for a certificate where clientAuth is null")
  void nullClientAuth() {
    Waiting.await(TlsLoader.server(vertx, serving().setClientAuth(null)));
  }

  /** Fails if {@code TlsRules.jdk} or Netty initializes the JDK's trust, for each connection that says a name as well. */
  @Test
  @DisplayName("The JDK's own certificates are read by no event loop, and not at all if nobody is judged by them")
  void trustOfJdk() {
    // Netty reads them when its classes are initialized.
    usable();
    ReadTrust.recording(readers -> {
      ClientSSLOptions trusting = new ClientSSLOptions().setTrustOptions(KEYS.trusted());
      onEventLoop(() -> TlsLoader.server(vertx, serving()));
      onEventLoop(() -> TlsLoader.client(vertx, trusting));
      try (TlsBed bed = new TlsBed()) {
        int port = bed.listen(Optional.of(serving().setSni(true)));
        assertThat(bed.connect("localhost", port, trusting.copy().setHostnameVerificationAlgorithm(""))).isNull();
      }
      assertThat(readers).isEmpty();
      onEventLoop(() -> TlsLoader.client(vertx, new ClientSSLOptions()));
      onEventLoop(() -> TlsLoader.server(vertx, serving().setClientAuth(ClientAuth.REQUIRED)));
      assertThat(readers).hasSize(2).noneMatch(reader -> reader.contains("eventloop"));
    });
  }

  private <T> T onEventLoop(Supplier<Future<T>> loading) {
    return Waiting.await(Future.future(promise -> vertx.runOnContext(now -> loading.get().onComplete(promise))));
  }

  @Test
  @DisplayName("Files that are not there, and files with something else in them")
  void files(@TempDir Path folder) throws IOException {
    String garbage = Files.writeString(folder.resolve("garbage.pem"), "no certificate").toString();
    for (String path : List.of(garbage, folder.resolve("missing.pem").toString(), folder.toString())) {
      for (KeyCertOptions keys : List.of(new PemKeyCertOptions().setCertPath(path).setKeyPath(path),
          new JksOptions().setPath(path).setPassword("x"), new PfxOptions().setPath(path).setPassword("x"))) {
        assertRefused(serving().setKeyCertOptions(keys));
      }
      assertRefused(new ClientSSLOptions().setTrustOptions(new PemTrustOptions().addCertPath(path)));
      assertRefused(new ClientSSLOptions().setTrustOptions(KEYS.trusted()).addCrlPath(path));
    }
  }

  @Test
  @DisplayName("A wrong password is refused, and is in no message of what went wrong")
  void password() {
    Throwable refusal = Waiting.awaitFailure(TlsLoader.server(vertx,
        serving().setKeyCertOptions(new PfxOptions(KEYS.pfx()).setPassword("open sesame"))));
    StringWriter all = new StringWriter();
    refusal.printStackTrace(new PrintWriter(all));
    assertThat(all.toString()).contains("TLS options").doesNotContain("sesame");
  }

  @Test
  @DisplayName("What the JDK's TLS has not, and what has no meaning here")
  void unsupported() {
    assertRefused(serving().setUseAlpn(true), "useAlpn");
    assertRefused(serving().setApplicationLayerProtocols(List.of("h2")), "applicationLayerProtocols");
    assertRefused(new ClientSSLOptions().setUseAlpn(true), "useAlpn");
  }

  /** Vert.x 5.1.1 to 5.1.4 have the first alone, later ones have the others. */
  @ParameterizedTest
  @ValueSource(strings = {"{\"useHybridKeyExchangeProtocol\": true}", "{\"keyExchangeGroups\": [\"x25519\"]}",
      "{\"pqcEnforcementPolicy\": \"STRICT\"}"})
  @DisplayName("A choice of how keys are exchanged, by what name the Vert.x that is here has for it")
  void keyExchange(String json) {
    JsonObject choice = new JsonObject(json);
    String name = choice.fieldNames().iterator().next();
    ServerSSLOptions options = new ServerSSLOptions(choice);
    assumeTrue(options.toJson().containsKey(name), () -> "This Vert.x has no " + name);
    assertRefused(options.setKeyCertOptions(serving().getKeyCertOptions()), name, "OpenSSL", "jdk.tls.namedGroups");
  }

  @Test
  @DisplayName("Names of protocols, cipher suites and algorithms that nobody knows, where Vert.x drops some")
  void names() {
    assertRefused(serving().setEnabledSecureTransportProtocols(Set.of("TLSv1.3", "TLSv1.33")), "TLSv1.33",
        "TLSv1.2, TLSv1.3");
    assertRefused(serving().setEnabledSecureTransportProtocols(Set.of()), "enabledSecureTransportProtocols");
    assertRefused(serving().addEnabledCipherSuite("TLS_AES"), "\"TLS_AES\"", "TLS_AES_128_GCM_SHA256");
    assertRefused(new ClientSSLOptions().setHostnameVerificationAlgorithm("https"), "\"HTTPS\"");
  }

  @Test
  @DisplayName("A list of revoked certificates that nobody would look into")
  void revocation() {
    assertRefused(serving().addCrlValue(KEYS.revocation()), "crlValues");
    assertRefused(new ClientSSLOptions().addCrlPath("revoked.crl"), "crlPaths");
  }

  @Test
  @DisplayName("A file of revoked certificates with no list in it, as a download leaves it that has failed")
  void emptyList(@TempDir Path folder) throws IOException {
    ClientSSLOptions trusting = new ClientSSLOptions().setTrustOptions(KEYS.trusted());
    String path = Files.createFile(folder.resolve("revoked.crl")).toString();
    assertRefused(trusting.copy().addCrlPath(path), path + " has no list");
    assertRefused(trusting.copy().addCrlValue(KEYS.revocation()).addCrlValue(Buffer.buffer()), "crlValues has no list");
  }
}
