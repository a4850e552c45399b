// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.tls;

import java.security.KeyStore;
import java.security.Provider;
import java.security.cert.X509Certificate;
import javax.net.ssl.ManagerFactoryParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.TrustManagerFactorySpi;
import javax.net.ssl.X509TrustManager;

/**
 * A factory of trust managers that there are already. They stay as they are, and so the JDK adds the verification of
 * the host to those that have none of their own; Netty's factories for this purpose would take it away.
 */
final class FixedTrust extends TrustManagerFactory {

  private static final Provider NONE = new Provider("fixed", "1", "trust managers that there are already") {
    private static final long serialVersionUID = 1;
  };

  FixedTrust(TrustManager... managers) {
    super(new Managers(managers.clone()), NONE, "fixed");
  }

  /** Trusts every certificate; what its host is called may be verified all the same. */
  static TrustManagerFactory all() {
    return new FixedTrust(new Everybody());
  }

  private static final class Managers extends TrustManagerFactorySpi {

    private final TrustManager[] managers;

    Managers(TrustManager[] managers) {
      this.managers = managers;
    }

    @Override
    protected void engineInit(KeyStore store) {
      // There is nothing to be read.
    }

    @Override
    protected void engineInit(ManagerFactoryParameters parameters) {
      // There is nothing to be read.
    }

    @Override
    protected TrustManager[] engineGetTrustManagers() {
      return managers.clone();
    }
  }

  private static final class Everybody implements X509TrustManager {

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) {
      // Everybody is trusted.
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) {
      // Everybody is trusted.
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
