// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.cli;

import dev.rpcrdma.api.ConnectionAgreement;
import dev.rpcrdma.api.ConnectionSnapshot;
import dev.rpcrdma.api.PeerPrivateData;
import dev.rpcrdma.protocol.wire.CmPrivateData;
import io.vertx.core.net.SocketAddress;
import java.io.PrintWriter;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What a ping has found out, as lines of a name and a value, the values one below the other. */
final class PingReport {

  private record Row(String name, String value) {}

  private final List<Row> rows = new ArrayList<>();

  PingReport(SocketAddress address, SecurityOptions security, List<Certificate> peer, ConnectionSnapshot snapshot,
      long[] nanos) {
    row("service", address.toString());
    security(security, peer);
    snapshot.agreed().transport().forEach(fact -> row(fact.name(), fact.value()));
    privateData(snapshot.agreed().peer());
    agreed(snapshot.agreed());
    row("credits granted", String.valueOf(snapshot.creditsGranted()));
    times(nanos);
  }

  private void security(SecurityOptions security, List<Certificate> peer) {
    if (!peer.isEmpty()) {
      row("TLS", peer.get(0) instanceof X509Certificate known
          ? "the peer is " + known.getSubjectX500Principal().getName() : "the peer has a certificate");
    }
    security.protection().ifPresent(protection -> row("Kerberos", security.flavor() + ", " + protection));
  }

  private void privateData(PeerPrivateData peer) {
    row("private data", "the peer has sent " + peer.length() + " bytes:");
    row("  RFC 8797", peer.sizes().map(PingReport::sizes).orElse("none, "
        + CmPrivateData.SILENT.receiveSize() + " bytes inline are assumed"));
    row("  our own block", peer.session()
        .map(block -> "session " + block.id() + ", " + (1 << block.slotBits()) + " slots").orElse("none"));
  }

  private static String sizes(CmPrivateData peer) {
    return "version " + CmPrivateData.VERSION + ", sends " + peer.sendSize() + " and receives "
        + peer.receiveSize() + " bytes inline, "
        + (peer.remoteInvalidation() ? "R set: its memory may be invalidated"
            : "R clear: its memory may not be invalidated");
  }

  private void agreed(ConnectionAgreement agreed) {
    row("inline, to it", agreed.outboundInline() + " bytes");
    row("inline, from it", agreed.inboundInline() + " bytes");
    row("RDMA Reads (ORD)", String.valueOf(agreed.outboundReads()));
    row("remote invalidation", agreed.remoteInvalidation() ? "yes" : "no");
  }

  private void times(long[] nanos) {
    for (int i = 0; i < nanos.length; i++) {
      row("NULL " + (i + 1), micros(nanos[i]));
    }
    if (nanos.length > 0) {
      long[] sorted = nanos.clone();
      Arrays.sort(sorted);
      row("least, median, most", micros(sorted[0]) + ", "
          + micros(sorted[(sorted.length - 1) / 2]) + ", " + micros(sorted[sorted.length - 1]));
    }
  }

  private void row(String name, String value) {
    rows.add(new Row(name, value));
  }

  private static String micros(long nanos) {
    return String.format(Locale.ROOT, "%,.0f us", nanos / 1000.0);
  }

  void print(PrintWriter out) {
    int width = rows.stream().mapToInt(row -> row.name().length()).max().orElse(0);
    rows.forEach(row ->
        out.printf(Locale.ROOT, "%-" + width + "s  %s%n", row.name(), row.value()));
    out.flush();
  }
}
