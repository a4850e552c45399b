// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.cli;

import dev.rpcrdma.api.ConnectionAgreement;
import dev.rpcrdma.api.PeerPrivateData;
import dev.rpcrdma.protocol.wire.CmPrivateData;
import dev.rpcrdma.tools.command.HostPort;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** What a ping has found out, as lines of a name and a value, the values one below the other. */
final class PingReport {

  private record Row(String name, String value) {}

  private final List<Row> rows = new ArrayList<>();

  PingReport(PingResult result) {
    ConnectionAgreement agreed = result.snapshot().agreed();
    row("service", HostPort.text(result.service()));
    security(result);
    agreed.transport().forEach(fact -> row(fact.name(), fact.value()));
    privateData(agreed.peer());
    agreed(agreed);
    row("credits granted", String.valueOf(result.snapshot().calls().creditsGranted()));
    times(result);
  }

  private void security(PingResult result) {
    if (!result.certificates().isEmpty()) {
      row("TLS", result.peer().map(name -> "the peer is " + name).orElse("the peer has a certificate"));
    }
    result.security().protection()
        .ifPresent(protection -> row("Kerberos", result.security().flavor() + ", " + protection));
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

  private void times(PingResult result) {
    List<Long> nanos = result.nanos();
    for (int i = 0; i < nanos.size(); i++) {
      row("NULL " + (i + 1), micros(nanos.get(i)));
    }
    if (result.failure().isPresent()) {
      row("NULL " + (nanos.size() + 1), "failed");
    }
    if (!nanos.isEmpty()) {
      row("least, median, most",
          result.quantiles().stream().map(PingReport::micros).collect(Collectors.joining(", ")));
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
