// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw;

import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.Provider;
import java.security.Security;
import java.util.Collection;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import javax.net.ssl.ManagerFactoryParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.TrustManagerFactorySpi;

/** Records which threads read the certificates that the JDK trusts by itself. Made by Java's security. */
public final class ReadTrust extends TrustManagerFactorySpi {

  private static final String NAME = "recording";
  private static final Collection<String> READERS = new ConcurrentLinkedQueue<>();

  private TrustManagerFactory real;

  /** Made by Java's security. */
  public ReadTrust() {
    // There is nothing to be done.
  }

  /** Records while an action runs, which is given the names of the threads. */
  static void recording(Consumer<Collection<String>> action) {
    READERS.clear();
    Security.insertProviderAt(new Recording(), 1);
    try {
      action.accept(READERS);
    } finally {
      Security.removeProvider(NAME);
    }
  }

  @Override
  protected void engineInit(KeyStore store) throws KeyStoreException {
    if (store == null) {
      READERS.add(Thread.currentThread().getName());
    }
    try {
      real = TrustManagerFactory.getInstance("PKIX", "SunJSSE");
    } catch (GeneralSecurityException e) {
      throw new KeyStoreException(e);
    }
    real.init(store);
  }

  @Override
  protected void engineInit(ManagerFactoryParameters parameters) {
    throw new UnsupportedOperationException();
  }

  @Override
  protected TrustManager[] engineGetTrustManagers() {
    return real.getTrustManagers();
  }

  private static final class Recording extends Provider {

    private static final long serialVersionUID = 1L;

    Recording() {
      super(NAME, "1", "Records who reads trust");
      put("TrustManagerFactory.PKIX", ReadTrust.class.getName());
    }
  }
}
