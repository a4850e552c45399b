// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.testkit.DelayedCompletions;
import dev.rpcrdma.testkit.FaultPlan;
import dev.rpcrdma.testkit.FaultyProvider;
import dev.rpcrdma.testkit.Peer;
import dev.rpcrdma.testkit.VerbsBed;
import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.DeviceOptions;
import dev.rpcrdma.verbs.QueuePair;
import dev.rpcrdma.verbs.TransportFact;
import dev.rpcrdma.verbs.VerbsProvider;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The facts of a real connection reach who asks its queue pair, also through decorators. */
@DisplayName("siw: what it tells of a connection")
final class SiwFactsTest {

  static Stream<VerbsProvider> providers() {
    return Stream.of(new SiwProvider(), new DelayedCompletions(new SiwProvider(), 6581, 8),
        new FaultyProvider(new SiwProvider(), FaultPlan.none()));
  }

  private static void assertFacts(Peer peer, String crc, String first, String ird, String ord) {
    assertThat(peer.<List<TransportFact>>call(QueuePair::transportFacts)).containsExactly(
        new TransportFact("MPA", "revision 2, enhanced startup (RFC 6581)"),
        new TransportFact("CRC", crc),
        new TransportFact("markers sent", "no, the peer does not ask"),
        new TransportFact("markers received", "no, this side does not ask"),
        new TransportFact("ready to receive", first),
        new TransportFact("IRD", ird),
        new TransportFact("ORD", ord));
  }

  @ParameterizedTest
  @MethodSource("providers")
  @DisplayName("P-005, P-009, P-010: revision, CRCs, markers, first message and depths, at both ends")
  void facts(VerbsProvider provider) {
    try (VerbsBed bed = new VerbsBed(provider, DeviceOptions.DEFAULT)) {
      Peer client = bed.client();
      Peer server = bed.server();
      bed.connect(client, ConnectionOptions.DEFAULT.withReads(7, 1), server,
          ConnectionOptions.DEFAULT.withReads(2, 3));
      assertFacts(client, "on, this side asks and the peer confirms",
          "empty RDMA Write, nothing agreed (client and server)", "1, the peer's ORD is 1",
          "3, the peer's IRD is 3");
      assertFacts(server, "on, both sides ask", "nothing agreed (client and server)",
          "3, the peer's ORD is 7", "1, the peer's IRD is 1");
    }
  }

  @ParameterizedTest
  @MethodSource("providers")
  @DisplayName("P-005, P-011: without CRCs, peer to peer")
  void settings(VerbsProvider provider) {
    try (VerbsBed bed = new VerbsBed(provider, DeviceOptions.DEFAULT.withSettings(
        new JsonObject().put("crc", false).put("peerToPeer", true)))) {
      VerbsBed.Pair pair = bed.connect();
      for (Peer peer : List.of(pair.client(), pair.server())) {
        assertThat(peer.<List<TransportFact>>call(QueuePair::transportFacts)).contains(
            new TransportFact("CRC", "off, neither side asks"),
            new TransportFact("ready to receive", "empty RDMA Write, as agreed (peer to peer)"));
      }
    }
  }
}
