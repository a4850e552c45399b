// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.tls;

import java.security.cert.CRL;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/** Trusts no certificate of a chain that is on a revocation list, whoever has signed the list; else as another does. */
final class Revocation implements X509TrustManager {

  private final X509TrustManager trust;
  private final List<CRL> lists;

  private Revocation(X509TrustManager trust, List<CRL> lists) {
    this.trust = trust;
    this.lists = lists;
  }

  /** Puts the lists before each manager that judges certificates. */
  static TrustManager[] before(TrustManager[] managers, List<CRL> lists) {
    TrustManager[] all = managers.clone();
    for (int i = 0; i < all.length; i++) {
      if (all[i] instanceof X509TrustManager trust) {
        all[i] = new Revocation(trust, lists);
      }
    }
    return all;
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
    checkRevoked(chain);
    trust.checkClientTrusted(chain, authType);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
    checkRevoked(chain);
    trust.checkServerTrusted(chain, authType);
  }

  private void checkRevoked(X509Certificate[] chain) throws CertificateException {
    for (X509Certificate certificate : chain) {
      for (CRL list : lists) {
        if (list.isRevoked(certificate)) {
          throw new CertificateException("Certificate revoked: " + certificate.getSubjectX500Principal());
        }
      }
    }
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return trust.getAcceptedIssuers();
  }
}
