// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.options;

import dev.rpcrdma.verbs.options.OptionType;
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
import io.vertx.core.net.TrustOptions;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * TLS options in their JSON form: that of Vert.x, and beside it keys and trust under the names that Vert.x has for them
 * elsewhere. What Vert.x would pass over is refused.
 */
public final class TlsJson {

  /** Of clients. */
  public static final OptionType<ClientSSLOptions> CLIENT_TYPE = OptionType.of("an object",
      (name, json) -> client(json), (ClientSSLOptions options) -> write(options)).copied(ClientSSLOptions::copy)
      .compared((one, other) -> one.equals(other) && one.toJson().equals(other.toJson()));
  /** Of servers. */
  public static final OptionType<ServerSSLOptions> SERVER_TYPE = OptionType.of("an object",
      (name, json) -> server(json), (ServerSSLOptions options) -> write(options)).copied(ServerSSLOptions::copy)
      .compared((one, other) -> one.equals(other) && one.toJson().equals(other.toJson()));

  private static final String NAME = "tls";
  private static final String PEM_KEYS = "pemKeyCertOptions";
  private static final String JKS_KEYS = "keyStoreOptions";
  private static final String PFX_KEYS = "pfxKeyCertOptions";
  private static final String PEM_TRUST = "pemTrustOptions";
  private static final String JKS_TRUST = "trustStoreOptions";
  private static final String PFX_TRUST = "pfxTrustOptions";

  /** Also of what is not supported here, which is refused later, and in words of its own. */
  private static final Map<String, JsonShape> COMMON = Map.of(
      "enabledCipherSuites", JsonShape.TEXTS,
      "crlPaths", JsonShape.TEXTS,
      "crlValues", JsonShape.BYTES_EACH,
      "useAlpn", JsonShape.FLAG,
      "enabledSecureTransportProtocols", JsonShape.TEXTS,
      "sslHandshakeTimeout", JsonShape.COUNT,
      "sslHandshakeTimeoutUnit", JsonShape.constant(TimeUnit.class),
      "applicationLayerProtocols", JsonShape.TEXTS);

  /** Names that only some releases of Vert.x have. */
  private static final Map<String, JsonShape> OF_SOME_RELEASES = Map.of("useHybridKeyExchangeProtocol", JsonShape.FLAG,
      "keyExchangeGroups", JsonShape.TEXTS, "pqcEnforcementPolicy", JsonShape.TEXT);
  private static final JsonObject VALUES_OF_SOME_RELEASES = JsonObject.of("useHybridKeyExchangeProtocol", true,
      "keyExchangeGroups", JsonArray.of("x25519"), "pqcEnforcementPolicy", "STRICT");

  private static final Map<String, JsonShape> PEM_KEY = Map.of("keyPath", JsonShape.TEXT, "keyPaths", JsonShape.TEXTS,
      "keyValue", JsonShape.BYTES, "keyValues", JsonShape.BYTES_EACH, "certPath", JsonShape.TEXT,
      "certPaths", JsonShape.TEXTS, "certValue", JsonShape.BYTES, "certValues", JsonShape.BYTES_EACH);
  private static final Map<String, JsonShape> PEM_CERTIFICATE =
      Map.of("certPaths", JsonShape.TEXTS, "certValues", JsonShape.BYTES_EACH);
  private static final Map<String, JsonShape> STORE = Map.of("path", JsonShape.TEXT, "value", JsonShape.BYTES,
      "password", JsonShape.TEXT, "alias", JsonShape.TEXT, "aliasPassword", JsonShape.TEXT);
  private static final Map<String, Map<String, JsonShape>> NESTED = Map.of(PEM_KEYS, PEM_KEY, JKS_KEYS, STORE,
      PFX_KEYS, STORE, PEM_TRUST, PEM_CERTIFICATE, JKS_TRUST, STORE, PFX_TRUST, STORE);

  private static final Map<String, Function<JsonObject, KeyCertOptions>> KEYS = Map.of(
      PEM_KEYS, PemKeyCertOptions::new, JKS_KEYS, JksOptions::new, PFX_KEYS, PfxOptions::new);
  private static final Map<String, Function<JsonObject, TrustOptions>> TRUSTS = Map.of(
      PEM_TRUST, PemTrustOptions::new, JKS_TRUST, JksOptions::new, PFX_TRUST, PfxOptions::new);

  private static final Map<String, JsonShape> CLIENT = all(Map.of(
      "hostnameVerificationAlgorithm", JsonShape.TEXT, "trustAll", JsonShape.FLAG));
  private static final Map<String, JsonShape> SERVER = all(Map.of(
      "clientAuth", JsonShape.constant(ClientAuth.class), "sni", JsonShape.FLAG));

  private TlsJson() {}

  private static Map<String, JsonShape> all(Map<String, JsonShape> own) {
    Map<String, JsonShape> all = new HashMap<>(COMMON);
    // The release that is here writes back what it has read, where it has the name.
    JsonObject here = new ClientSSLOptions(VALUES_OF_SOME_RELEASES).toJson();
    OF_SOME_RELEASES.forEach((name, shape) -> {
      if (here.containsKey(name)) {
        all.put(name, shape);
      }
    });
    all.putAll(own);
    NESTED.forEach((name, shapes) -> all.put(name, JsonShape.object(shapes)));
    return Map.copyOf(all);
  }

  static ClientSSLOptions client(Object value) {
    ClientSSLOptions options = new ClientSSLOptions(JsonShape.check(NAME, value, CLIENT));
    readNested((JsonObject) value, options);
    return options;
  }

  static ServerSSLOptions server(Object value) {
    ServerSSLOptions options = new ServerSSLOptions(JsonShape.check(NAME, value, SERVER));
    readNested((JsonObject) value, options);
    return options;
  }

  private static void readNested(JsonObject json, SSLOptions options) {
    one(json, KEYS).ifPresent(options::setKeyCertOptions);
    one(json, TRUSTS).ifPresent(options::setTrustOptions);
  }

  private static <T> Optional<T> one(JsonObject json, Map<String, Function<JsonObject, T>> forms) {
    Set<String> given = new TreeSet<>(forms.keySet());
    given.retainAll(json.fieldNames());
    if (given.size() > 1) {
      throw new IllegalArgumentException("Only one of " + String.join(", ", given) + " may be in " + NAME);
    }
    return given.stream().findFirst().map(name -> forms.get(name)
        .apply(JsonShape.check(NAME + "." + name, json.getValue(name), NESTED.get(name))));
  }

  static JsonObject write(ClientSSLOptions options) {
    return writeNested(options.toJson(), options);
  }

  static JsonObject write(ServerSSLOptions options) {
    return writeNested(options.toJson(), options);
  }

  private static JsonObject writeNested(JsonObject json, SSLOptions options) {
    write(json, options.getKeyCertOptions(), PEM_KEYS, JKS_KEYS, PFX_KEYS);
    write(json, options.getTrustOptions(), PEM_TRUST, JKS_TRUST, PFX_TRUST);
    return json;
  }

  private static void write(JsonObject json, Object options, String pem, String jks, String pfx) {
    if (options instanceof PemKeyCertOptions keys) {
      json.put(pem, keys.toJson());
    } else if (options instanceof PemTrustOptions trust) {
      json.put(pem, trust.toJson());
    } else if (options instanceof JksOptions store) {
      json.put(jks, store.toJson());
    } else if (options instanceof PfxOptions store) {
      json.put(pfx, store.toJson());
    } else if (options != null) {
      throw new IllegalStateException(NAME + " has a " + options.getClass().getName() + ", which has no form in JSON;"
          + " PEM, JKS and PKCS #12 have one");
    }
  }
}
