// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.tls;

import java.net.Socket;
import java.security.cert.CRL;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509TrustManager;

/** Trusts no certificate of a chain that is on a revocation list, whoever has signed the list; else as another does. */
final class Revocation {

  private final List<CRL> lists;

  private Revocation(List<CRL> lists) {
    this.lists = lists;
  }

  /** Puts the lists before each manager that judges certificates. */
  static TrustManager[] before(TrustManager[] managers, List<CRL> lists) {
    Revocation revocation = new Revocation(lists);
    TrustManager[] all = managers.clone();
    for (int i = 0; i < all.length; i++) {
      // The JDK asks them in different ways, and verifies the host for the one that is not extended.
      if (all[i] instanceof X509ExtendedTrustManager trust) {
        all[i] = new Extended(revocation, trust);
      } else if (all[i] instanceof X509TrustManager trust) {
        all[i] = new Plain(revocation, trust);
      }
    }
    return all;
  }

  private void check(X509Certificate[] chain) throws CertificateException {
    for (X509Certificate certificate : chain) {
      for (CRL list : lists) {
        if (list.isRevoked(certificate)) {
          throw new CertificateException("Certificate revoked: " + certificate.getSubjectX500Principal());
        }
      }
    }
  }

  private record Plain(Revocation revocation, X509TrustManager trust) implements X509TrustManager {

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
      revocation.check(chain);
      trust.checkClientTrusted(chain, authType);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
      revocation.check(chain);
      trust.checkServerTrusted(chain, authType);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return trust.getAcceptedIssuers();
    }
  }

  private static final class Extended extends X509ExtendedTrustManager {

    private final Revocation revocation;
    private final X509ExtendedTrustManager trust;

    Extended(Revocation revocation, X509ExtendedTrustManager trust) {
      this.revocation = revocation;
      this.trust = trust;
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
      revocation.check(chain);
      trust.checkClientTrusted(chain, authType);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
        throws CertificateException {
      revocation.check(chain);
      trust.checkClientTrusted(chain, authType, socket);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
        throws CertificateException {
      revocation.check(chain);
      trust.checkClientTrusted(chain, authType, engine);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
      revocation.check(chain);
      trust.checkServerTrusted(chain, authType);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
        throws CertificateException {
      revocation.check(chain);
      trust.checkServerTrusted(chain, authType, socket);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
        throws CertificateException {
      revocation.check(chain);
      trust.checkServerTrusted(chain, authType, engine);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return trust.getAcceptedIssuers();
    }
  }
}
