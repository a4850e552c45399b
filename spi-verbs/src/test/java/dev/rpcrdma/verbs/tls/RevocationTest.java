// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.tls;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CRL;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RevocationTest {

  /** Trusts everybody. */
  private static final X509TrustManager ALL = new X509TrustManager() {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  };

  /** Some of those that come with the JDK. */
  private static X509Certificate[] chain() throws GeneralSecurityException {
    TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init((KeyStore) null);
    X509Certificate[] known = ((X509TrustManager) factory.getTrustManagers()[0]).getAcceptedIssuers();
    assumeTrue(known.length > 2, "This JDK trusts nobody");
    return new X509Certificate[] {known[0], known[1], known[2]};
  }

  private static CRL revoking(X509Certificate revoked) {
    return new CRL("X.509") {
      @Override
      public String toString() {
        return "A list";
      }

      @Override
      public boolean isRevoked(Certificate certificate) {
        return certificate == revoked;
      }
    };
  }

  /** Fails if {@code Revocation.check} looks at the first certificate, or the first list, alone. */
  @Test
  @DisplayName("A chain is refused if one of its certificates is revoked, whichever, by whichever list")
  void wholeChain() throws GeneralSecurityException {
    X509Certificate[] chain = chain();
    for (X509Certificate revoked : chain) {
      X509TrustManager trust = (X509TrustManager) Revocation.before(new TrustManager[] {ALL},
          List.of(revoking(null), revoking(revoked)))[0];
      assertThatThrownBy(() -> trust.checkServerTrusted(chain, "RSA")).isInstanceOf(CertificateException.class)
          .hasMessageContaining("revoked");
      assertThatThrownBy(() -> trust.checkClientTrusted(chain, "RSA")).isInstanceOf(CertificateException.class)
          .hasMessageContaining("revoked");
    }
    X509TrustManager trust =
        (X509TrustManager) Revocation.before(new TrustManager[] {ALL}, List.of(revoking(null)))[0];
    trust.checkServerTrusted(chain, "RSA");
  }
}
