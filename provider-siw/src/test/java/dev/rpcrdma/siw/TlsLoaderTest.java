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
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.JksOptions;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.PfxOptions;
import io.vertx.core.net.ServerSSLOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
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
}
