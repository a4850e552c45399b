package dev.rpcrdma.siw.stream;

import dev.rpcrdma.siw.wire.EnhancedBlock;
import dev.rpcrdma.siw.wire.MpaFrame;
import dev.rpcrdma.siw.wire.TerminateCode;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Startup of the side that opened the TCP connection (RFC 5044 §7.1.2, RFC 6581).
 *
 * <p>Call {@link #request} and send it, then {@link #receive} with what arrives until it says true,
 * then {@link #rejected} or {@link #agreement}. Bytes that it leaves belong to the first FPDU.
 */
public final class MpaInitiator {

  private final MpaOffer offer;
  private final MpaFrameReader reader = new MpaFrameReader(false);
  private MpaFrame reply;

  /**
   * Creates the machine.
   *
   * @param offer what this side brings
   */
  public MpaInitiator(MpaOffer offer) {
    this.offer = offer;
  }

  /**
   * The Request, of revision 2 and with the enhanced block: Linux servers refuse clients that do
   * not tell their IRD.
   *
   * @return the frame's bytes
   */
  public byte[] request() {
    boolean p2p = offer.peerToPeer();
    EnhancedBlock block =
        new EnhancedBlock(p2p, p2p, p2p, p2p, offer.inboundReads(), offer.outboundReads());
    return new MpaFrame(true, false, offer.crc(), false, 2, Optional.of(block),
        offer.privateData()).encode();
  }

  /**
   * Takes bytes of the Reply.
   *
   * @param in what has arrived
   * @return true if the Reply is complete
   * @throws StartupException if it is not a Reply that can be understood
   */
  public boolean receive(ByteBuffer in) throws StartupException {
    if (!reader.feed(in)) {
      return false;
    }
    MpaFrame frame = reader.frame();
    if (frame.revision() < 1 || frame.revision() > 2) {
      throw new StartupException("The peer's MPA Reply has revision " + frame.revision()
          + "; 1 and 2 are known");
    }
    if (!frame.rejected()) {
      if (frame.markers()) {
        throw new StartupException("The peer demands MPA markers, which this side does not make");
      }
      if (frame.enhanced().isEmpty()) {
        throw new StartupException(
            "The peer's MPA Reply lacks the enhanced block that the Request had");
      }
    }
    reply = frame;
    return true;
  }

  /**
   * Whether the peer's consumer has said no.
   *
   * @return true for a Reply with R set
   */
  public boolean rejected() {
    return reply.rejected();
  }

  /**
   * What the peer's consumer sent along.
   *
   * @return private data
   */
  public byte[] privateData() {
    return reply.privateData();
  }

  /**
   * What was settled.
   *
   * @return the agreement
   */
  public MpaAgreement agreement() {
    EnhancedBlock theirs = reply.enhanced().orElseThrow();
    Optional<TerminateCode> refusal = Optional.empty();
    int ord = theirs.ird() == EnhancedBlock.NO_NEGOTIATION
        ? offer.outboundReads() : Math.min(offer.outboundReads(), theirs.ird());
    int ird = offer.inboundReads();
    if (theirs.ord() != EnhancedBlock.NO_NEGOTIATION && theirs.ord() > ird) {
      // RFC 6581 §9.1: raise the IRD to the responder's ORD, or refuse.
      ird = theirs.ord();
      if (ird > offer.maxReads()) {
        refusal = Optional.of(TerminateCode.INSUFFICIENT_IRD);
      }
    }
    Rtr rtr = Rtr.WRITE;
    if (offer.peerToPeer()) {
      // RFC 6581 §9.2: one of the types that both sides set. A=1 in the Request asks for A=1 back.
      if (theirs.rtrRead() && !theirs.rtrWrite()) {
        rtr = Rtr.READ;
      } else if (theirs.rtrSend() && !theirs.rtrWrite()) {
        rtr = Rtr.SEND;
      } else if (!theirs.rtrWrite()) {
        refusal = Optional.of(TerminateCode.NO_MATCHING_RTR);
      }
    }
    // RFC 5044 §7.1.1: CRCs are used in both directions if either side asks.
    return new MpaAgreement(offer.crc() || reply.crc(), ord, ird, rtr, refusal,
        reply.privateData());
  }
}
