// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.tls;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.SSLOptions;
import io.vertx.core.net.TrustOptions;
import java.io.ByteArrayInputStream;
import java.security.cert.CRL;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/**
 * What was read for TLS: this end's keys and certificates, which certificates of the other end it trusts, and which of
 * them are revoked.
 */
final class Credentials {

  private final KeyManagerFactory keys;
  private final Function<String, KeyManagerFactory> keysByName;
  private final TrustManagerFactory trust;
  private final Function<String, TrustManager[]> trustByName;
  private final List<CRL> revoked;

  /**
   * Reads files.
   *
   * @throws Exception what the options or Java's security providers say when something cannot be used
   */
  Credentials(Vertx vertx, SSLOptions options) throws Exception {
    KeyCertOptions ownKeys = options.getKeyCertOptions();
    keys = ownKeys == null ? null : ownKeys.getKeyManagerFactory(vertx);
    keysByName = ownKeys == null ? name -> null : ownKeys.keyManagerFactoryMapper(vertx);
    TrustOptions trusted = options.getTrustOptions();
    if (options instanceof ClientSSLOptions client && client.isTrustAll()) {
      trust = FixedTrust.all();
      trustByName = name -> null;
    } else {
      trust = trusted == null ? null : trusted.getTrustManagerFactory(vertx);
      trustByName = trusted == null ? name -> null : trusted.trustManagerMapper(vertx);
    }
    revoked = revoked(vertx, options);
  }

  private static List<CRL> revoked(Vertx vertx, SSLOptions options) throws Exception {
    List<Buffer> lists = new ArrayList<>();
    if (options.getCrlPaths() != null) {
      options.getCrlPaths().forEach(path -> lists.add(vertx.fileSystem().readFileBlocking(path)));
    }
    if (options.getCrlValues() != null) {
      lists.addAll(options.getCrlValues());
    }
    CertificateFactory certificates = CertificateFactory.getInstance("X.509");
    List<CRL> all = new ArrayList<>();
    for (Buffer list : lists) {
      all.addAll(certificates.generateCRLs(new ByteArrayInputStream(list.getBytes())));
    }
    return all;
  }

  /** Null if there are none. */
  KeyManagerFactory keys() {
    return keys;
  }

  /** Null if the JDK's own trust is meant. */
  TrustManagerFactory trust() {
    return trust == null ? null : trust(trust.getTrustManagers());
  }

  /** Those for a name alone; null if there are none. */
  KeyManagerFactory keys(String name) {
    return keysByName == null ? null : keysByName.apply(name);
  }

  /** Those for a name alone; null if there are none. */
  TrustManagerFactory trust(String name) {
    TrustManager[] managers = trustByName == null ? null : trustByName.apply(name);
    return managers == null ? null : trust(managers);
  }

  private TrustManagerFactory trust(TrustManager[] managers) {
    return new FixedTrust(revoked.isEmpty() ? managers : Revocation.before(managers, revoked));
  }
}
