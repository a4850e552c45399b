// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.stream;

import dev.rpcrdma.siw.wire.EnhancedBlock;
import dev.rpcrdma.siw.wire.MpaFrame;
import dev.rpcrdma.verbs.TransportFact;
import java.util.List;
import java.util.function.ToIntFunction;

/** Tells an agreement in words: what holds, and who wanted it so. */
public final class MpaFacts {

  private MpaFacts() {}

  /**
   * The facts of an agreement.
   *
   * @param agreement of either side
   * @return always the same ones in the same order
   */
  public static List<TransportFact> of(MpaAgreement agreement) {
    return List.of(
        new TransportFact("MPA", revision(agreement.peer())),
        new TransportFact("CRC", crc(agreement)),
        new TransportFact("markers sent", agreement.markersSent()
            ? "yes, the peer asks for them" : "no, the peer does not ask"),
        new TransportFact("markers received", agreement.markersReceived()
            ? "yes, this side asks for them" : "no, this side does not ask"),
        new TransportFact("ready to receive", readyToReceive(agreement)),
        new TransportFact("IRD",
            reads(agreement.inboundReads(), "ORD", EnhancedBlock::ord, agreement.peer())),
        new TransportFact("ORD",
            reads(agreement.outboundReads(), "IRD", EnhancedBlock::ird, agreement.peer())));
  }

  private static String revision(MpaFrame peer) {
    return "revision " + peer.revision()
        + (peer.enhanced().isPresent() ? ", enhanced startup (RFC 6581)" : ", plain startup (RFC 5044)");
  }

  private static String crc(MpaAgreement agreement) {
    boolean ours = agreement.offer().crc();
    boolean theirs = agreement.peer().crc();
    if (!agreement.crc()) {
      return "off, neither side asks";
    }
    if (ours && theirs) {
      // RFC 5044 §7.1.1: a Reply may have the flag because the Request has it.
      return responder(agreement) ? "on, both sides ask" : "on, this side asks and the peer confirms";
    }
    return ours ? "on, this side asks" : "on, the peer asks";
  }

  private static boolean responder(MpaAgreement agreement) {
    return agreement.peer().request();
  }

  /** RFC 6581 §5; and our initiator begins by a Write even where nothing was agreed on. */
  private static String readyToReceive(MpaAgreement agreement) {
    String message = "empty " + switch (agreement.rtr()) {
      case WRITE -> "RDMA Write";
      case READ -> "RDMA Read";
      case SEND -> "Send";
    };
    if (peerToPeer(agreement)) {
      return message + ", as agreed (peer to peer)";
    }
    return responder(agreement) ? "nothing agreed (client and server)"
        : message + ", nothing agreed (client and server)";
  }

  private static boolean peerToPeer(MpaAgreement agreement) {
    return responder(agreement)
        ? agreement.peer().enhanced().filter(EnhancedBlock::peerToPeer).isPresent()
        : agreement.offer().enhanced() && !agreement.offer().readyToReceive().isEmpty();
  }

  /** RFC 6581 §9.1: who says 0x3FFF leaves a depth to the other side. */
  private static String reads(int depth, String counterpart, ToIntFunction<EnhancedBlock> told,
      MpaFrame peer) {
    if (peer.enhanced().isEmpty()) {
      return depth + ", not negotiated";
    }
    int theirs = told.applyAsInt(peer.enhanced().get());
    return depth + (theirs == EnhancedBlock.NO_NEGOTIATION
        ? ", the peer leaves it to this side" : ", the peer's " + counterpart + " is " + theirs);
  }
}
