// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.stream;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.rpcrdma.siw.FuzzInput;
import dev.rpcrdma.siw.decode.Recorded;
import dev.rpcrdma.siw.wire.EnhancedBlock;
import dev.rpcrdma.siw.wire.MpaFrame;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Either startup machine against any bytes: they end in a frame or in a {@link StartupException},
 * the same one however they are cut, and what is agreed on keeps to what both sides said.
 *
 * <p>An input begins with six bytes of choices: role, piece size, CRC, depths, kinds of
 * ready-to-receive message.
 */
@DisplayName("MPA startup, fuzzed")
final class MpaStartupFuzzTest {

  private static final int MOST_BYTES = MpaFrame.HEADER_BYTES + MpaFrame.MAX_PRIVATE_DATA;

  static Stream<byte[]> seeds() {
    return Recorded.NAMES.stream().flatMap(name -> Recorded.conversations(name).stream())
        .flatMap(pieces -> Recorded.whole(pieces).stream().limit(2))
        .map(piece -> Fpdus.concat(new byte[] {(byte) (piece.fromOpener() ? 0 : 1), 7, 1, 4, 4, 7},
            Arrays.copyOf(piece.bytes(), Math.min(piece.bytes().length, 40))));
  }

  @MethodSource("seeds")
  @FuzzTest
  @DisplayName("P-001, P-008, P-009, P-010: any bytes, in any pieces")
  void startup(byte[] bytes) {
    FuzzInput input = new FuzzInput(bytes);
    boolean initiator = input.flag();
    int piece = 1 + input.choice(64);
    MpaOffer offer = new MpaOffer(input.flag(), false, true, EnumSet.noneOf(Rtr.class),
        input.choice(32), input.choice(32), 32, new byte[3]);
    offer = new MpaOffer(offer.crc(), false, input.choice(8) != 7, rtr(input.choice(8)),
        offer.inboundReads(), offer.outboundReads(), 32, offer.privateData());
    byte[] stream = input.rest();
    Receiver whole = new Receiver(initiator, offer, stream, stream.length);
    Receiver pieces = new Receiver(initiator, offer, stream, piece);
    assertThat(pieces.outcome).isEqualTo(whole.outcome);
    assertThat(whole.taken).isLessThanOrEqualTo(MOST_BYTES);
    if (whole.outcome.equals("complete")) {
      assertThat(pieces.taken).isEqualTo(whole.taken);
      checkFrame(stream, whole.taken, !initiator);
      if (initiator) {
        checkAgreement(offer, whole.initiator);
      } else {
        checkAnswer(offer, whole.responder, stream);
      }
    }
  }

  private static Set<Rtr> rtr(int bits) {
    Set<Rtr> types = EnumSet.noneOf(Rtr.class);
    for (Rtr type : Rtr.values()) {
      if ((bits & 1 << type.ordinal()) != 0) {
        types.add(type);
      }
    }
    return types;
  }

  /** One machine that is given a stream. */
  private static final class Receiver {

    final MpaInitiator initiator;
    final MpaResponder responder = new MpaResponder();
    String outcome = "more";
    int taken;

    Receiver(boolean initiates, MpaOffer offer, byte[] stream, int piece) {
      initiator = new MpaInitiator(offer);
      for (int at = 0; at < stream.length && outcome.equals("more"); at += piece) {
        ByteBuffer in = ByteBuffer.wrap(stream, at, Math.min(piece, stream.length - at));
        try {
          if (initiates ? initiator.receive(in) : responder.receive(in)) {
            outcome = "complete";
          }
        } catch (StartupException e) {
          outcome = "refused";
        }
        taken = in.position();
      }
    }
  }

  /** What was understood is what a frame of ours with the same contents says. */
  private static void checkFrame(byte[] stream, int length, boolean request) {
    MpaFrame frame = MpaFrame.parse(Arrays.copyOf(stream, length), request);
    byte[] again = frame.encode();
    assertThat(again).hasSize(length).startsWith(Arrays.copyOf(stream, MpaFrame.KEY_BYTES));
    MpaFrame second = MpaFrame.parse(again, request);
    assertThat(second.enhanced()).isEqualTo(frame.enhanced());
    assertThat(second.privateData()).isEqualTo(frame.privateData());
    assertThat(second.encode()).isEqualTo(again);
  }

  private static void checkAgreement(MpaOffer offer, MpaInitiator initiator) {
    MpaAgreement agreement = initiator.agreement();
    assertThat(agreement.outboundReads()).isLessThanOrEqualTo(offer.outboundReads());
    assertThat(agreement.crc() || !offer.crc()).isTrue();
    if (agreement.refusal().isEmpty()) {
      assertThat(agreement.inboundReads()).isBetween(offer.inboundReads(), offer.maxReads());
      if (offer.enhanced() && !offer.readyToReceive().isEmpty() && !initiator.rejected()) {
        assertThat(offer.readyToReceive()).contains(agreement.rtr());
      }
    }
  }

  /** The Reply is one that this very Request allows, and names depths that both can keep. */
  private static void checkAnswer(MpaOffer offer, MpaResponder responder, byte[] request) {
    MpaAgreement agreement = responder.accept(offer);
    byte[] reply = responder.acceptance(offer, agreement);
    MpaFrame theirs = MpaFrame.parse(request, true);
    MpaFrame mine = MpaFrame.parse(reply, false);
    assertThat(mine.revision()).isEqualTo(theirs.revision());
    assertThat(mine.enhanced().isPresent()).isEqualTo(theirs.enhanced().isPresent());
    assertThat(agreement.crc()).isEqualTo(offer.crc() || theirs.crc());
    if (theirs.enhanced().isPresent()) {
      EnhancedBlock asked = theirs.enhanced().get();
      EnhancedBlock said = mine.enhanced().orElseThrow();
      assertThat(said.peerToPeer()).isEqualTo(asked.peerToPeer());
      assertThat(said.ord() == EnhancedBlock.NO_NEGOTIATION).isEqualTo(
          asked.ird() == EnhancedBlock.NO_NEGOTIATION);
      assertThat(agreement.outboundReads()).isLessThanOrEqualTo(
          Math.min(asked.ird(), offer.outboundReads()));
    }
    assertThat(MpaFrame.parse(responder.rejection(false, new byte[4]), false).rejected()).isTrue();
  }
}
