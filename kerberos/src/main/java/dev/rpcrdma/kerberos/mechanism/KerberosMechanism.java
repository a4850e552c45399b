// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.mechanism;

import dev.rpcrdma.api.KerberosOptions;
import dev.rpcrdma.api.impl.mechanism.PeerContexts;
import dev.rpcrdma.api.impl.mechanism.SecurityMechanism;
import dev.rpcrdma.kerberos.gss.GssService;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.function.Supplier;

/** RPCSEC_GSS (RFC 2203) with Kerberos V. */
public final class KerberosMechanism implements SecurityMechanism {

  @Override
  public Initiator initiate(Vertx vertx, KerberosOptions options, Duration timeout) {
    SecurityThreads threads = new SecurityThreads(vertx);
    GssService service = Kerberos.service(options.getProtection());
    return new Initiator() {
      @Override
      public PeerContexts with(Supplier<String> host) {
        return new KerberosContexts(service, Kerberos.initiator(options, host), threads, timeout);
      }

      @Override
      public void close() {
        threads.close();
      }
    };
  }

  @Override
  public Acceptor accept(Vertx vertx, KerberosOptions options) {
    return KerberosServer.acquire(vertx, options);
  }
}
