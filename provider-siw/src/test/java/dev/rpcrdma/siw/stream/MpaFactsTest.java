// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.siw.wire.EnhancedBlock;
import dev.rpcrdma.siw.wire.MpaFrame;
import dev.rpcrdma.verbs.TransportFact;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What is told of a startup, in either role, with a peer made of frames. */
@DisplayName("MPA startup: what is told of it")
final class MpaFactsTest {

  private static final EnhancedBlock CLIENT_SERVER = EnhancedBlock.clientServer(7, 3);

  private static MpaOffer offer(boolean crc, boolean enhanced, Set<Rtr> rtr) {
    return new MpaOffer(crc, false, enhanced, rtr, 16, 16, 128, new byte[0]);
  }

  private static MpaOffer offer(boolean crc) {
    return offer(crc, true, EnumSet.noneOf(Rtr.class));
  }

  private static MpaFrame frame(boolean request, boolean markers, boolean crc, int revision,
      EnhancedBlock block) {
    return new MpaFrame(request, markers, crc, false, revision, Optional.ofNullable(block),
        new byte[0]);
  }

  private static MpaAgreement initiator(MpaOffer mine, MpaFrame reply) throws StartupException {
    MpaInitiator initiator = new MpaInitiator(mine);
    assertThat(initiator.receive(ByteBuffer.wrap(reply.encode()))).isTrue();
    return initiator.agreement();
  }

  private static MpaAgreement responder(MpaOffer mine, MpaFrame request) throws StartupException {
    MpaResponder responder = new MpaResponder();
    assertThat(responder.receive(ByteBuffer.wrap(request.encode()))).isTrue();
    return responder.accept(mine);
  }

  private static String told(MpaAgreement agreement, String name) {
    return MpaFacts.of(agreement).stream().filter(fact -> fact.name().equals(name)).findFirst()
        .map(TransportFact::value).orElseThrow();
  }

  @ParameterizedTest(name = "ours {0}, theirs {1}")
  @CsvSource(delimiter = '|', value = {
      "false | false | off, neither side asks | off, neither side asks",
      "false | true  | on, the peer asks      | on, the peer asks",
      "true  | false | on, this side asks     | on, this side asks",
      "true  | true  | on, both sides ask     | on, this side asks and the peer confirms"})
  @DisplayName("P-005: whether there are CRCs, and who asks for them")
  void crc(boolean ours, boolean theirs, String asResponder, String asInitiator)
      throws StartupException {
    assertThat(told(responder(offer(ours), frame(true, false, theirs, 2, CLIENT_SERVER)), "CRC"))
        .isEqualTo(asResponder);
    assertThat(told(initiator(offer(ours), frame(false, false, theirs, 2, CLIENT_SERVER)), "CRC"))
        .isEqualTo(asInitiator);
  }

  @ParameterizedTest(name = "asked {0}")
  @CsvSource(delimiter = '|', value = {
      "false | no, the peer does not ask", "true | yes, the peer asks for them"})
  @DisplayName("P-006: markers, each direction by itself")
  void markers(boolean asked, String sent) throws StartupException {
    for (MpaAgreement agreement : new MpaAgreement[] {
        responder(offer(true), frame(true, asked, true, 2, CLIENT_SERVER)),
        initiator(offer(true), frame(false, asked, true, 2, CLIENT_SERVER))}) {
      assertThat(told(agreement, "markers sent")).isEqualTo(sent);
      assertThat(told(agreement, "markers received")).isEqualTo("no, this side does not ask");
    }
    assertThat(told(Agreements.of(true, false, true, 1, 1, Rtr.WRITE), "markers received"))
        .isEqualTo("yes, this side asks for them");
  }

  @ParameterizedTest
  @EnumSource(Rtr.class)
  @DisplayName("P-010, P-011: the ready-to-receive message that was agreed on, in both roles")
  void readyToReceive(Rtr type) throws StartupException {
    EnhancedBlock block = new EnhancedBlock(true, type == Rtr.SEND, type == Rtr.WRITE,
        type == Rtr.READ, 7, 3);
    String message = switch (type) {
      case WRITE -> "empty RDMA Write, as agreed (peer to peer)";
      case READ -> "empty RDMA Read, as agreed (peer to peer)";
      case SEND -> "empty Send, as agreed (peer to peer)";
    };
    assertThat(told(responder(offer(true), frame(true, false, true, 2, block)),
        "ready to receive")).isEqualTo(message);
    assertThat(told(initiator(offer(true, true, EnumSet.allOf(Rtr.class)),
        frame(false, false, true, 2, block)), "ready to receive")).isEqualTo(message);
  }

  @Test
  @DisplayName("P-011: in the client-server model the initiator begins by a Write of its own accord")
  void nothingAgreed() throws StartupException {
    assertThat(told(responder(offer(true), frame(true, false, true, 2, CLIENT_SERVER)),
        "ready to receive")).isEqualTo("nothing agreed (client and server)");
    assertThat(told(initiator(offer(true), frame(false, false, true, 2, CLIENT_SERVER)),
        "ready to receive")).isEqualTo("empty RDMA Write, nothing agreed (client and server)");
  }

  @Test
  @DisplayName("P-009, P-010: revision and read depths, negotiated, left open, or not negotiated")
  void revisionAndReads() throws StartupException {
    MpaAgreement enhanced = initiator(offer(true), frame(false, false, true, 2, CLIENT_SERVER));
    assertThat(told(enhanced, "MPA")).isEqualTo("revision 2, enhanced startup (RFC 6581)");
    assertThat(told(enhanced, "IRD")).isEqualTo("16, the peer's ORD is 3");
    assertThat(told(enhanced, "ORD")).isEqualTo("7, the peer's IRD is 7");
    MpaAgreement open = responder(offer(true), frame(true, false, true, 2,
        EnhancedBlock.clientServer(EnhancedBlock.NO_NEGOTIATION, EnhancedBlock.NO_NEGOTIATION)));
    assertThat(told(open, "IRD")).isEqualTo("16, the peer leaves it to this side");
    assertThat(told(open, "ORD")).isEqualTo("16, the peer leaves it to this side");
    MpaAgreement plain = responder(offer(true), frame(true, false, true, 1, null));
    assertThat(told(plain, "MPA")).isEqualTo("revision 1, plain startup (RFC 5044)");
    assertThat(told(plain, "IRD")).isEqualTo("16, not negotiated");
    assertThat(told(plain, "ORD")).isEqualTo("16, not negotiated");
  }
}
