// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.siw.wire.EnhancedBlock;
import dev.rpcrdma.siw.wire.MpaFrame;
import dev.rpcrdma.siw.wire.RdmapOpcode;
import dev.rpcrdma.siw.wire.TerminateCode;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whole tables of what two sides can say to each other in startup, each role against raw frames. */
@DisplayName("MPA startup: tables")
final class MpaNegotiationTest {

  private static final int NONE = EnhancedBlock.NO_NEGOTIATION;
  private static final int MAX_READS = 128;

  private static MpaOffer offer(boolean crc, boolean enhanced, Set<Rtr> rtr, int ird, int ord) {
    return new MpaOffer(crc, false, enhanced, rtr, ird, ord, MAX_READS, new byte[0]);
  }

  private static MpaOffer plain(int ird, int ord) {
    return offer(true, true, EnumSet.noneOf(Rtr.class), ird, ord);
  }

  private static MpaFrame frame(boolean request, boolean crc, int revision, EnhancedBlock block) {
    return new MpaFrame(request, false, crc, false, revision, Optional.ofNullable(block),
        new byte[0]);
  }

  private static MpaResponder asked(MpaFrame request) throws StartupException {
    MpaResponder responder = new MpaResponder();
    assertThat(responder.receive(ByteBuffer.wrap(request.encode()))).isTrue();
    return responder;
  }

  private static MpaAgreement answered(MpaOffer mine, MpaFrame reply) throws StartupException {
    MpaInitiator initiator = new MpaInitiator(mine);
    assertThat(initiator.receive(ByteBuffer.wrap(reply.encode()))).isTrue();
    return initiator.agreement();
  }

  @ParameterizedTest(name = "ours {0}, theirs {1}")
  @CsvSource({"false,false", "false,true", "true,false", "true,true"})
  @DisplayName("P-005, B-011: CRCs are used if either side asks, in both roles, and then checked")
  void crc(boolean ours, boolean theirs) throws StartupException {
    EnhancedBlock block = EnhancedBlock.clientServer(4, 4);
    MpaOffer mine = offer(ours, true, EnumSet.noneOf(Rtr.class), 4, 4);
    MpaResponder responder = asked(frame(true, theirs, 2, block));
    MpaAgreement accepted = responder.accept(mine);
    MpaFrame reply = MpaFrame.parse(responder.acceptance(mine, accepted), false);
    assertThat(reply.crc()).isEqualTo(ours || theirs);
    assertThat(MpaFrame.parse(new MpaInitiator(mine).request(), true).crc()).isEqualTo(ours);
    for (MpaAgreement agreement : new MpaAgreement[] {
        accepted, answered(mine, frame(false, theirs, 2, block))}) {
      assertThat(agreement.crc()).isEqualTo(ours || theirs);
      Machine machine = new Machine(false, agreement, 1);
      machine.receive(1, 8);
      byte[] corrupted = Fpdus.send(1, (byte) 5);
      corrupted[corrupted.length - 1] ^= 1;
      machine.feed(corrupted);
      assertThat(machine.fault == null).as("the CRC is checked").isEqualTo(!(ours || theirs));
    }
  }

  @Test
  @DisplayName("P-010, P-011, B-012: all 16 x 16 combinations of A, B, C and D")
  void readyToReceive() throws StartupException {
    for (int asked = 0; asked < 16; asked++) {
      responder(block(asked));
      for (int answered = 0; answered < 16; answered++) {
        initiator(block(asked), block(answered));
      }
    }
  }

  /** The bits of the wire, A first; with A=0 whatever else is set is to be ignored. */
  private static EnhancedBlock block(int bits) {
    return new EnhancedBlock((bits & 8) != 0, (bits & 4) != 0, (bits & 2) != 0, (bits & 1) != 0, 4,
        4);
  }

  private static Set<Rtr> types(EnhancedBlock block) {
    Set<Rtr> types = EnumSet.noneOf(Rtr.class);
    if (block.peerToPeer()) {
      if (block.rtrSend()) {
        types.add(Rtr.SEND);
      }
      if (block.rtrWrite()) {
        types.add(Rtr.WRITE);
      }
      if (block.rtrRead()) {
        types.add(Rtr.READ);
      }
    }
    return types;
  }

  private static void responder(EnhancedBlock asked) throws StartupException {
    MpaOffer mine = plain(4, 4);
    MpaResponder responder = asked(frame(true, true, 2, asked));
    MpaAgreement agreement = responder.accept(mine);
    EnhancedBlock reply = MpaFrame.parse(responder.acceptance(mine, agreement), false).enhanced()
        .orElseThrow();
    String as = asked + " answered " + reply;
    assertThat(reply.peerToPeer()).as(as).isEqualTo(asked.peerToPeer());
    if (!asked.peerToPeer()) {
      assertThat(types(reply)).as(as).isEmpty();
    } else if (types(asked).isEmpty()) {
      // RFC 6581 §9.2: none that both know: at least one that the responder supports.
      assertThat(types(reply)).as(as).isNotEmpty();
    } else {
      assertThat(types(asked)).as(as).containsAll(types(reply));
      assertThat(types(reply)).as(as).hasSize(1);
    }
    // What is told is what is taken, a Send without a Receive above all.
    assertThat(asked.peerToPeer() ? types(reply) : Set.of(Rtr.WRITE)).as(as)
        .containsExactly(agreement.rtr());
  }

  private static void initiator(EnhancedBlock asked, EnhancedBlock answered)
      throws StartupException {
    MpaOffer mine = offer(true, true, types(asked), 4, 4);
    EnhancedBlock request =
        MpaFrame.parse(new MpaInitiator(mine).request(), true).enhanced().orElseThrow();
    assertThat(types(request)).isEqualTo(types(asked));
    assertThat(request.peerToPeer()).isEqualTo(!types(asked).isEmpty());
    MpaAgreement agreement = answered(mine, frame(false, true, 2, answered));
    Set<Rtr> common = types(asked);
    common.retainAll(types(answered));
    String as = asked + " answered " + answered;
    if (types(asked).isEmpty()) {
      assertThat(agreement.refusal()).as(as).isEmpty();
    } else if (common.isEmpty()) {
      assertThat(agreement.refusal()).as(as).contains(TerminateCode.NO_MATCHING_RTR);
      assertThat(FpduEncoder.terminate(agreement)).as("Terminate 2/0/07")
          .containsSequence(0x20, 0x07, 0, 0);
    } else {
      assertThat(agreement.refusal()).as(as).isEmpty();
      assertThat(common).as(as).contains(agreement.rtr());
      assertFirst(agreement);
    }
  }

  /** P-011: what was agreed on goes out before all else, and is of length zero. */
  private static void assertFirst(MpaAgreement agreement) {
    Machine machine = new Machine(true, agreement, 1);
    machine.send(1, machine.memory((byte) 9));
    ByteBuffer sent = ByteBuffer.wrap(machine.drain(1000));
    int opcode = sent.get(3) & 0xF;
    assertThat(opcode).isEqualTo(switch (agreement.rtr()) {
      case WRITE -> RdmapOpcode.WRITE;
      case READ -> RdmapOpcode.READ_REQUEST;
      case SEND -> RdmapOpcode.SEND;
    });
    assertThat(sent.getShort(0)).isEqualTo((short) switch (agreement.rtr()) {
      case WRITE -> 14;
      case READ -> 46;
      case SEND -> 18;
    });
  }

  @ParameterizedTest(name = "responder IRD {0} ORD {1}, asked IRD {2} ORD {3}")
  @CsvSource({
      // own IRD, own ORD, their IRD, their ORD | ORD, IRD used | IRD, ORD told
      "3, 2, 1, 7,            1, 3,  3, 1",
      "1, 7, 3, 2,            3, 1,  1, 3",
      "4, 4, 0, 0,            0, 4,  4, 0",
      "0, 0, 9, 9,            0, 0,  0, 0",
      "5, 6, 16383, 16383,    6, 5,  16383, 16383",
      "5, 6, 16383, 2,        6, 5,  5, 16383",
      "5, 6, 2, 16383,        2, 5,  16383, 2",
      "5, 6, 16382, 16382,    6, 5,  5, 6",
      "128, 128, 128, 128,    128, 128,  128, 128"})
  @DisplayName("P-010, B-010: the responder lowers its ORD to the initiator's IRD, and tells")
  void responderReads(int ird, int ord, int theirIrd, int theirOrd, int usedOrd, int usedIrd,
      int toldIrd, int toldOrd) throws StartupException {
    MpaOffer mine = plain(ird, ord);
    MpaResponder responder =
        asked(frame(true, true, 2, EnhancedBlock.clientServer(theirIrd, theirOrd)));
    MpaAgreement agreement = responder.accept(mine);
    assertThat(agreement.outboundReads()).isEqualTo(usedOrd);
    assertThat(agreement.inboundReads()).isEqualTo(usedIrd);
    assertThat(MpaFrame.parse(responder.acceptance(mine, agreement), false).enhanced())
        .contains(EnhancedBlock.clientServer(toldIrd, toldOrd));
    assertThat(responder.inboundReads()).isEqualTo(raw(theirIrd));
    assertThat(responder.outboundReads()).isEqualTo(raw(theirOrd));
  }

  private static OptionalInt raw(int depth) {
    return depth == EnhancedBlock.NO_NEGOTIATION ? OptionalInt.empty() : OptionalInt.of(depth);
  }

  @ParameterizedTest(name = "initiator IRD {0} ORD {1}, answered IRD {2} ORD {3}")
  @CsvSource({
      "1, 7, 3, 2,            3, 2",
      "3, 2, 1, 7,            1, 7",
      "3, 2, 0, 0,            0, 3",
      "5, 6, 16383, 16383,    6, 5",
      "5, 6, 16383, 2,        6, 5",
      "5, 6, 2, 16383,        2, 5",
      "5, 6, 9, 128,          6, 128"})
  @DisplayName("P-010, B-010: the initiator fits its ORD and IRD to what the responder tells")
  void initiatorReads(int ird, int ord, int theirIrd, int theirOrd, int usedOrd, int usedIrd)
      throws StartupException {
    MpaAgreement agreement = answered(plain(ird, ord),
        frame(false, true, 2, EnhancedBlock.clientServer(theirIrd, theirOrd)));
    assertThat(agreement.outboundReads()).isEqualTo(usedOrd);
    assertThat(agreement.inboundReads()).isEqualTo(usedIrd);
    assertThat(agreement.refusal()).isEmpty();
  }

  @Test
  @DisplayName("P-010: an ORD that the initiator cannot serve is refused by Terminate 2/0/06")
  void insufficientIrd() throws StartupException {
    MpaAgreement agreement = answered(plain(4, 4),
        frame(false, true, 2, EnhancedBlock.clientServer(4, MAX_READS + 1)));
    assertThat(agreement.refusal()).contains(TerminateCode.INSUFFICIENT_IRD);
    assertThat(FpduEncoder.terminate(agreement)).containsSequence(0x20, 0x06, 0, 0);
  }

  @Test
  @DisplayName("P-009: revision 1 as initiator: no enhanced block either way, own read depths")
  void plainInitiator() throws StartupException {
    MpaOffer mine = offer(true, false, EnumSet.noneOf(Rtr.class), 5, 6);
    MpaFrame request = MpaFrame.parse(new MpaInitiator(mine).request(), true);
    assertThat(request.revision()).isEqualTo(1);
    assertThat(request.enhanced()).isEmpty();
    MpaAgreement agreement = answered(mine, frame(false, false, 1, null));
    assertThat(agreement.outboundReads()).isEqualTo(6);
    assertThat(agreement.inboundReads()).isEqualTo(5);
    assertThat(agreement.rtr()).isEqualTo(Rtr.WRITE);
    MpaFrame enhanced = frame(false, true, 2, EnhancedBlock.clientServer(NONE, NONE));
    assertThatThrownBy(() -> answered(mine, enhanced)).isInstanceOf(StartupException.class)
        .hasMessageContaining("had not");
  }

  @Test
  @DisplayName("P-009: in revision 1 the bit that is S now was reserved, and is not looked at")
  void reservedBitOfRevision1() throws StartupException {
    byte[] request = new MpaFrame(true, false, true, false, 1, Optional.empty(),
        new byte[] {1, 2, 3, 4, 5}).encode();
    request[16] |= 0x1F;
    MpaResponder responder = new MpaResponder();
    assertThat(responder.receive(ByteBuffer.wrap(request))).isTrue();
    MpaOffer mine = plain(4, 4);
    assertThat(responder.privateData()).containsExactly(1, 2, 3, 4, 5);
    assertThat(MpaFrame.parse(responder.acceptance(mine, responder.accept(mine)), false)
        .enhanced()).isEmpty();
  }
}
