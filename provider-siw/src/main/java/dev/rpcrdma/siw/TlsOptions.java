package dev.rpcrdma.siw;

import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.support.SettingNames;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.JksOptions;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.PfxOptions;
import io.vertx.core.net.TrustOptions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * TLS beneath MPA, with names in JSON. Keys and certificates are described as Vert.x describes them,
 * each by the JSON form of the named class. Both ends must have it, or neither.
 *
 * @param identity {@code pemKeyCertOptions} ({@link PemKeyCertOptions}), {@code keyStoreOptions}
 *     ({@link JksOptions}) or {@code pfxKeyCertOptions} ({@link PfxOptions}): this side's key and
 *     certificate, at most one of them. Needed to listen; needed to connect if the peer asks for it
 * @param trust {@code pemTrustOptions} ({@link PemTrustOptions}), {@code trustStoreOptions} ({@link
 *     JksOptions}) or {@code pfxTrustOptions} ({@link PfxOptions}): whose certificates are believed,
 *     at most one of them; default those that the JDK believes
 * @param clientAuth {@code clientAuth}: whether a listener asks for the certificate of who connects,
 *     {@code NONE}, {@code REQUEST} or {@code REQUIRED} (mutual TLS); default {@code NONE}
 * @param verifyHost {@code verifyHost}: whether a listener's certificate must name the host that was
 *     connected to; default true
 */
public record TlsOptions(Optional<KeyCertOptions> identity, Optional<TrustOptions> trust,
    ClientAuth clientAuth, boolean verifyHost) {

  private static final Map<String, Function<JsonObject, KeyCertOptions>> IDENTITIES = Map.of(
      "pemKeyCertOptions", PemKeyCertOptions::new,
      "keyStoreOptions", JksOptions::new,
      "pfxKeyCertOptions", PfxOptions::new);

  private static final Map<String, Function<JsonObject, TrustOptions>> TRUSTS = Map.of(
      "pemTrustOptions", PemTrustOptions::new,
      "trustStoreOptions", JksOptions::new,
      "pfxTrustOptions", PfxOptions::new);

  private static final Set<String> NAMES =
      Stream.of(IDENTITIES.keySet(), TRUSTS.keySet(), Set.of("clientAuth", "verifyHost"))
          .flatMap(Collection::stream).collect(Collectors.toUnmodifiableSet());

  /**
   * Reads the settings.
   *
   * @param json names and values
   * @return the options; no file has been looked at
   * @throws VerbsException of kind INVALID_ARGUMENT for an unknown name, more than one identity or
   *     trust, or a value that is not understood
   */
  static TlsOptions of(JsonObject json) {
    SettingNames.check(json, NAMES, "setting %s of 'tls'");
    try {
      return new TlsOptions(one(json, IDENTITIES), one(json, TRUSTS),
          clientAuth(json.getString("clientAuth", ClientAuth.NONE.name())),
          json.getBoolean("verifyHost", true));
    } catch (ClassCastException | NullPointerException | IllegalArgumentException e) {
      throw invalid("A setting of 'tls' has a value that is not understood: " + e.getMessage(), e);
    }
  }

  private static ClientAuth clientAuth(String name) {
    return Stream.of(ClientAuth.values()).filter(value -> value.name().equals(name)).findFirst()
        .orElseThrow(() -> new IllegalArgumentException("clientAuth is " + name));
  }

  private static <T> Optional<T> one(JsonObject json, Map<String, Function<JsonObject, T>> forms) {
    List<String> given = new ArrayList<>(forms.keySet());
    given.retainAll(json.fieldNames());
    if (given.size() > 1) {
      throw invalid("Only one of " + String.join(", ", given) + " may be set in 'tls'", null);
    }
    return given.stream().findFirst()
        .map(name -> forms.get(name).apply(json.getJsonObject(name)));
  }

  private static VerbsException invalid(String message, Throwable cause) {
    return new VerbsException(VerbsException.Kind.INVALID_ARGUMENT, message, cause);
  }
}
