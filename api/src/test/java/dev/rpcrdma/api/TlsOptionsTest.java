// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.testkit.TestKeys;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.JksOptions;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.PfxOptions;
import io.vertx.core.net.SSLOptions;
import io.vertx.core.net.ServerSSLOptions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** TLS as an option: its JSON form, copies, and what is refused. */
class TlsOptionsTest {

  private static final Buffer BYTES = Buffer.buffer("some bytes");

  private static <T extends SSLOptions> T filled(T options) {
    options.addEnabledCipherSuite("TLS_AES_128_GCM_SHA256").addCrlPath("a.crl").addCrlValue(BYTES).setUseAlpn(true)
        .setEnabledSecureTransportProtocols(Set.of("TLSv1.3"))
        .setSslHandshakeTimeout(7).setSslHandshakeTimeoutUnit(TimeUnit.MINUTES)
        .setApplicationLayerProtocols(List.of("x"));
    return options;
  }

  private static ClientSSLOptions client() {
    return filled(new ClientSSLOptions()).setHostnameVerificationAlgorithm("LDAPS").setTrustAll(true);
  }

  private static ServerSSLOptions server() {
    return filled(new ServerSSLOptions()).setClientAuth(ClientAuth.REQUEST).setSni(true);
  }

  private static PemKeyCertOptions pem() {
    return new PemKeyCertOptions().addCertPath("a").addKeyPath("b").addCertValue(BYTES).addKeyValue(BYTES);
  }

  private static JksOptions jks() {
    return new JksOptions().setPath("a").setPassword("b").setAlias("c").setAliasPassword("d").setValue(BYTES);
  }

  private static PfxOptions pfx() {
    return new PfxOptions().setPath("a").setPassword("b").setAlias("c").setAliasPassword("d").setValue(BYTES);
  }

  @Test
  @DisplayName("TLS options go through JSON and come back, with each form of keys and trust")
  void thereAndBack() {
    assertThat(new RpcClientOptions().toJson().containsKey("tls")).isFalse();
    assertThat(new RpcClientOptions(new RpcClientOptions().toJson()).getTls()).isEmpty();
    PemTrustOptions pemTrust = new PemTrustOptions().addCertPath("a").addCertValue(BYTES);
    for (SSLOptions keys : List.of(
        client().setKeyCertOptions(pem()).setTrustOptions(pemTrust), client().setKeyCertOptions(jks()).setTrustOptions(
            jks()), client().setKeyCertOptions(pfx()).setTrustOptions(pfx()))) {
      RpcClientOptions options = new RpcClientOptions().setTls((ClientSSLOptions) keys);
      JsonObject json = new JsonObject(options.toJson().encode());
      RpcClientOptions read = new RpcClientOptions(json);
      assertThat(read.getTls()).contains((ClientSSLOptions) keys);
      assertThat(read.toJson().encode()).isEqualTo(json.encode());
    }
    ServerSSLOptions keys = server().setKeyCertOptions(pem()).setTrustOptions(pemTrust);
    ServerSSLOptions read = new RpcServerOptions(new RpcServerOptions().setTls(keys).toJson()).getTls().orElseThrow();
    assertThat(read).isEqualTo(keys);
    assertThat(read.toJson()).isEqualTo(keys.toJson());
  }

  /** A name that a later Vert.x adds is to be added here. */
  @Test
  @DisplayName("Each name that Vert.x writes is read")
  void allNames() {
    for (Map.Entry<String, Object> entry : client().toJson()) {
      new RpcClientOptions(tls(entry.getKey(), entry.getValue()));
    }
    for (Map.Entry<String, Object> entry : server().toJson()) {
      new RpcServerOptions(tls(entry.getKey(), entry.getValue()));
    }
    Map.of("pemKeyCertOptions", pem().toJson(), "keyStoreOptions", jks().toJson(), "pfxKeyCertOptions", pfx().toJson(),
        "pemTrustOptions", new PemTrustOptions().addCertPath("a").addCertValue(BYTES).toJson(),
        "trustStoreOptions", jks().toJson(), "pfxTrustOptions", pfx().toJson())
        .forEach((name, nested) -> nested.forEach(entry -> new RpcClientOptions(
            tls(name, new JsonObject().put(entry.getKey(), entry.getValue())))));
    for (String name : List.of("keyPath", "certPath")) {
      new RpcClientOptions(tls("pemKeyCertOptions", new JsonObject().put(name, "a.pem")));
    }
    for (String name : List.of("keyValue", "certValue")) {
      new RpcClientOptions(tls("pemKeyCertOptions", new JsonObject().put(name, BYTES)));
    }
  }

  private static JsonObject tls(String name, Object value) {
    return new JsonObject().put("tls", new JsonObject().put(name, value));
  }

  private static void refused(Object tls, String message) {
    assertThatThrownBy(() -> new RpcClientOptions(new JsonObject().put("tls", tls)))
        .isInstanceOf(IllegalArgumentException.class).hasMessageContaining(message);
    assertThatThrownBy(() -> new RpcServerOptions(new JsonObject().put("tls", tls)))
        .isInstanceOf(IllegalArgumentException.class).hasMessageContaining(message);
  }

  @Test
  @DisplayName("Names that nobody knows are refused, also nested ones and those of the other side")
  void unknown() {
    refused(new JsonObject().put("trustall", true), "No such name in tls: trustall");
    refused(new JsonObject().put("openSslEngineOptions", new JsonObject()),
        "No such name in tls: openSslEngineOptions");
    refused(new JsonObject().put("pemKeyCertOptions", new JsonObject().put("certpath", "a")),
        "No such name in tls.pemKeyCertOptions: certpath (did you mean certPath?); there are certPath, ");
    refused(new JsonObject().put("pemTrustOptions", new JsonObject().put("certPath", "a")),
        "No such name in tls.pemTrustOptions: certPath (did you mean certPaths?); there are certPaths, certValues");
    refused(new JsonObject().put("keyStoreOptions", new JsonObject().put("passphrase", "a")), "passphrase");
    assertThatThrownBy(() -> new RpcClientOptions(tls("sni", true))).hasMessageContaining("No such name in tls: sni");
    assertThatThrownBy(() -> new RpcServerOptions(tls("trustAll", true))).hasMessageContaining("tls: trustAll");
    refused(new JsonObject().put("pemTrustOptions", new JsonObject()).put("pfxTrustOptions", new JsonObject()),
        "Only one of pemTrustOptions, pfxTrustOptions");
  }

  @Test
  @DisplayName("Values of another type are refused, where Vert.x would pass over them, and are in no message")
  void mistyped() {
    refused(null, "tls is an object with some of ");
    refused("secret", "tls is an object");
    refused(new JsonObject().put("useAlpn", "no"), "tls.useAlpn is true or false");
    refused(new JsonObject().put("crlPaths", "a.crl"), "tls.crlPaths is an array of texts");
    refused(new JsonObject().put("crlPaths", new JsonArray().add(1)), "tls.crlPaths is an array of texts");
    refused(new JsonObject().put("crlValues", new JsonArray().add("!")), "base64url");
    refused(new JsonObject().put("sslHandshakeTimeout", 0), "tls.sslHandshakeTimeout is a whole number above 0");
    refused(new JsonObject().put("sslHandshakeTimeout", 1.5), "a whole number above 0");
    refused(new JsonObject().put("sslHandshakeTimeoutUnit", "SECOND"), "one of DAYS, ");
    refused(new JsonObject().put("pemKeyCertOptions", "a.pem"), "tls.pemKeyCertOptions is an object with some of ");
    refused(new JsonObject().put("pemKeyCertOptions", new JsonObject().put("certPaths", "a.pem")), "an array of texts");
    refused(new JsonObject().put("pfxKeyCertOptions", new JsonObject().put("value", "not base 64")), "base64url");
    assertThatThrownBy(() -> new RpcServerOptions(tls("clientAuth", "MAYBE")))
        .hasMessageContaining("tls.clientAuth is one of NONE, REQUEST, REQUIRED");
    assertThatThrownBy(() -> new RpcClientOptions(tls("keyStoreOptions", new JsonObject().put("password", 31337))))
        .hasMessage("tls.keyStoreOptions.password is a text, not what is there");
    assertThatThrownBy(() -> new RpcClientOptions(tls("keyStoreOptions", "open sesame")))
        .hasMessageNotContaining("sesame");
  }

  @Test
  @DisplayName("Options are copied with TLS, also with keys that have no form in JSON, and say so when asked for it")
  void copies() throws Exception {
    KeyCertOptions own = KeyCertOptions.wrap(
        TestKeys.forNames("ip:127.0.0.1").keys().getKeyManagerFactory(null));
    ServerSSLOptions tls = new ServerSSLOptions().setKeyCertOptions(own);
    RpcServerOptions options = new RpcServerOptions().setTls(tls).setMaxSessions(7);
    tls.setClientAuth(ClientAuth.REQUIRED);
    options.getTls().orElseThrow().setSni(true);
    RpcServerOptions copy = new RpcServerOptions(options);
    assertThat(copy.getMaxSessions()).isEqualTo(7);
    assertThat(copy.getTls().orElseThrow().getKeyCertOptions()).isEqualTo(own);
    assertThat(copy.getTls().orElseThrow().toJson()).isEqualTo(new ServerSSLOptions().toJson());
    assertThatThrownBy(options::toJson).isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("no form in JSON");
    assertThatThrownBy(() -> options.setTls(null)).isInstanceOf(NullPointerException.class);
  }

  @Test
  @DisplayName("Options that are printed show no secrets")
  void printed() {
    assertThat(new RpcClientOptions().setTls(client().setKeyCertOptions(jks().setPassword("sesame"))).toString())
        .doesNotContain("sesame");
  }
}
