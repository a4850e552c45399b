// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.cli;

import dev.rpcrdma.api.ConnectionSnapshot;
import io.vertx.core.net.SocketAddress;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;

/**
 * What a ping has found out.
 *
 * @param service who was called
 * @param security how calls were to be protected
 * @param certificates of the peer; none without TLS
 * @param snapshot of the connection, after the calls
 * @param nanos how long each call took that was answered
 * @param failure why there were no more calls
 */
record PingResult(SocketAddress service, SecurityOptions security, List<Certificate> certificates,
    ConnectionSnapshot snapshot, List<Long> nanos, Optional<Exception> failure) {

  /** Copies the lists. */
  PingResult {
    certificates = List.copyOf(certificates);
    nanos = List.copyOf(nanos);
  }

  /** Who the peer is by its certificate; empty if that is not known. */
  Optional<String> peer() {
    return certificates.stream().limit(1).filter(X509Certificate.class::isInstance).map(X509Certificate.class::cast)
        .map(known -> known.getSubjectX500Principal().getName()).findFirst();
  }

  /** The least, the median and the most of the times; empty without calls. */
  List<Long> quantiles() {
    List<Long> sorted = nanos.stream().sorted().toList();
    return sorted.isEmpty() ? sorted
        : List.of(sorted.get(0), sorted.get((sorted.size() - 1) / 2), sorted.get(sorted.size() - 1));
  }
}
