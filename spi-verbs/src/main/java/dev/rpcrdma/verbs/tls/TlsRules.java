// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.tls;

import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.base.Causes;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.SSLOptions;
import io.vertx.core.net.ServerSSLOptions;
import java.security.GeneralSecurityException;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;

/** What of Vert.x' TLS options would have no effect, or another one than it says, is refused. */
final class TlsRules {

  private static final Set<String> PROTOCOLS = Set.of("TLSv1", "TLSv1.1", "TLSv1.2", "TLSv1.3");
  private static final List<String> ALGORITHMS = List.of("", "HTTPS", "LDAPS");

  /** Read by their names in JSON, since no release of Vert.x has getters for all of them. */
  private static final List<String> KEY_EXCHANGES =
      List.of("useHybridKeyExchangeProtocol", "keyExchangeGroups", "pqcEnforcementPolicy");

  private TlsRules() {}

  static void check(ClientSSLOptions options) {
    String algorithm = options.getHostnameVerificationAlgorithm();
    if (algorithm != null && !ALGORITHMS.contains(algorithm)) {
      throw refused("hostnameVerificationAlgorithm is \"HTTPS\", \"LDAPS\" or, to verify nothing, \"\"; not \""
          + algorithm + "\"");
    }
    checkCommon(options, options.isTrustAll() || options.getTrustOptions() != null);
  }

  static void check(ServerSSLOptions options) {
    if (options.getKeyCertOptions() == null) {
      throw refused("a server needs a key and a certificate, such as pemKeyCertOptions");
    }
    checkCommon(options, options.getTrustOptions() != null);
  }

  private static void checkCommon(SSLOptions options, boolean trusts) {
    if (options.isUseAlpn() || notEmpty(options.getApplicationLayerProtocols())) {
      throw refused("useAlpn and applicationLayerProtocols choose between protocols, and there is one alone");
    }
    JsonObject given = options.toJson();
    JsonObject defaults = new ClientSSLOptions().toJson();
    for (String name : KEY_EXCHANGES) {
      if (!Objects.equals(given.getValue(name), defaults.getValue(name))) {
        throw refused(name + " chooses how keys are exchanged, which needs OpenSSL; the TLS of the JDK, which this is,"
            + " has the system property jdk.tls.namedGroups");
      }
    }
    if (!trusts && (notEmpty(options.getCrlPaths()) || notEmpty(options.getCrlValues()))) {
      throw refused("crlPaths and crlValues revoke certificates of trust options, such as pemTrustOptions, and there"
          + " are none");
    }
    if (options.getEnabledSecureTransportProtocols().isEmpty()) {
      throw refused("enabledSecureTransportProtocols is empty");
    }
    known("enabledSecureTransportProtocols", options.getEnabledSecureTransportProtocols(), PROTOCOLS);
    known("enabledCipherSuites", options.getEnabledCipherSuites(), cipherSuites());
  }

  private static boolean notEmpty(Collection<?> values) {
    return values != null && !values.isEmpty();
  }

  private static void known(String option, Set<String> values, Set<String> known) {
    for (String value : values) {
      if (value == null || !known.contains(value)) {
        throw refused(option + " has \"" + value + "\", which is not among " + String.join(", ", new TreeSet<>(known)));
      }
    }
  }

  private static Set<String> cipherSuites() {
    return Set.of(jdk().getSupportedSSLParameters().getCipherSuites());
  }

  /** The TLS of the JDK, with nothing of the user's, and without the certificates of its own file. */
  static SSLContext jdk() {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[0], null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new VerbsException(VerbsException.Kind.UNAVAILABLE, "This JDK has no TLS: " + Causes.message(e), e);
    }
  }

  /** 0, which is no limit, only if that is what was asked for. */
  static long handshakeMillis(SSLOptions options) {
    long wanted = options.getSslHandshakeTimeout();
    return wanted == 0 ? 0 : Math.max(1, options.getSslHandshakeTimeoutUnit().toMillis(wanted));
  }

  static VerbsException refused(String why) {
    return new VerbsException(VerbsException.Kind.INVALID_ARGUMENT, "The TLS options cannot be used: " + why);
  }
}
