// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.tls;

import io.netty.handler.ssl.ClientAuth;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.KeyStoreOptionsBase;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.SSLOptions;
import io.vertx.core.net.ServerSSLOptions;
import io.vertx.core.net.TrustOptions;
import java.io.ByteArrayInputStream;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CRL;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

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
    if (trustsAll(options)) {
      trust = FixedTrust.all();
      trustByName = name -> null;
    } else {
      TrustManagerFactory wanted = trusted == null ? null : trusted.getTrustManagerFactory(vertx);
      trust = wanted == null ? byDefault(options) : wanted;
      trustByName = trusted == null ? name -> null : trusted.trustManagerMapper(vertx);
    }
    revoked = revoked(vertx, options);
  }

  private static boolean trustsAll(SSLOptions options) {
    return options instanceof ClientSSLOptions client && client.isTrustAll();
  }

  /** What the JDK's own file has, read here and not by each handshake, unless nobody will be judged by it. */
  private static TrustManagerFactory byDefault(SSLOptions options) throws GeneralSecurityException {
    if (options instanceof ServerSSLOptions server && SslContexts.clientAuth(server) == ClientAuth.NONE) {
      return new FixedTrust(new TrustManager[0]);
    }
    TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init((KeyStore) null);
    return trust;
  }

  private static List<CRL> revoked(Vertx vertx, SSLOptions options) throws Exception {
    List<CRL> all = new ArrayList<>();
    if (options.getCrlPaths() != null) {
      for (String path : options.getCrlPaths()) {
        all.addAll(lists(path, vertx.fileSystem().readFileBlocking(path)));
      }
    }
    if (options.getCrlValues() != null) {
      for (Buffer value : options.getCrlValues()) {
        all.addAll(lists("one of crlValues", value));
      }
    }
    return all;
  }

  /** A file that was written in part, such as by a download that failed, would revoke nothing. */
  private static Collection<? extends CRL> lists(String where, Buffer bytes) throws GeneralSecurityException {
    Collection<? extends CRL> lists =
        CertificateFactory.getInstance("X.509").generateCRLs(new ByteArrayInputStream(bytes.getBytes()));
    if (lists.isEmpty()) {
      throw TlsRules.refused(where + " has no list of revoked certificates");
    }
    return lists;
  }

  /** Refuses options that name nothing, or a store without what is needed: handshakes alone would find out. */
  void checkComplete(SSLOptions options) {
    KeyCertOptions keyOptions = options.getKeyCertOptions();
    if ((keyOptions instanceof KeyStoreOptionsBase || keyOptions instanceof PemKeyCertOptions)
        && KeyPairs.none(keys)) {
      throw TlsRules.refused(keyOptions.getClass().getSimpleName() + " has no key");
    }
    TrustOptions trusted = options.getTrustOptions();
    if (!trustsAll(options) && (trusted instanceof KeyStoreOptionsBase || trusted instanceof PemTrustOptions)
        && Arrays.stream(trust.getTrustManagers()).allMatch(manager ->
            manager instanceof X509TrustManager judge && judge.getAcceptedIssuers().length == 0)) {
      throw TlsRules.refused(trusted.getClass().getSimpleName() + " has no certificate");
    }
  }

  /** Null if there are none. */
  KeyManagerFactory keys() {
    return keys;
  }

  TrustManagerFactory trust() {
    return trust(trust.getTrustManagers());
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
