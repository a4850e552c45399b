// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.stream;

import dev.rpcrdma.siw.wire.EnhancedBlock;
import dev.rpcrdma.siw.wire.MpaFrame;
import dev.rpcrdma.siw.wire.TerminateCode;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

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
   * The Request. Revision 2 and the enhanced block are the rule: Linux servers refuse clients that
   * do not tell their IRD. Revision 1 is for responders that close on it (RFC 6581 §10).
   *
   * @return the frame's bytes
   */
  public byte[] request() {
    Optional<EnhancedBlock> block = Optional.empty();
    if (offer.enhanced()) {
      Set<Rtr> rtr = offer.readyToReceive();
      block = Optional.of(new EnhancedBlock(!rtr.isEmpty(), rtr.contains(Rtr.SEND),
          rtr.contains(Rtr.WRITE), rtr.contains(Rtr.READ), offer.inboundReads(),
          offer.outboundReads()));
    }
    return new MpaFrame(true, offer.markers(), offer.crc(), false, offer.enhanced() ? 2 : 1, block,
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
    if (!frame.rejected() && frame.enhanced().isPresent() != offer.enhanced()) {
      throw new StartupException("The peer's MPA Reply " + (offer.enhanced()
          ? "lacks the enhanced block that the Request had"
          : "has an enhanced block that the Request had not"));
    }
    reply = frame;
    return true;
  }

  /** Tells whether the key of a Reply has come. */
  boolean replyHasBegun() {
    return reader.hasKey();
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
   * The Reply.
   *
   * @return the frame, once it is complete
   */
  MpaFrame reply() {
    return reply;
  }

  /**
   * What was settled.
   *
   * @return the agreement
   */
  public MpaAgreement agreement() {
    int ord = offer.outboundReads();
    int ird = offer.inboundReads();
    Rtr rtr = Rtr.WRITE;
    Optional<TerminateCode> refusal = Optional.empty();
    if (reply.enhanced().isPresent()) {
      EnhancedBlock theirs = reply.enhanced().get();
      if (theirs.ird() != EnhancedBlock.NO_NEGOTIATION) {
        ord = Math.min(ord, theirs.ird());
      }
      if (theirs.ord() != EnhancedBlock.NO_NEGOTIATION && theirs.ord() > ird) {
        // RFC 6581 §9.1: raise the IRD to the responder's ORD, or refuse.
        ird = theirs.ord();
        if (ird > offer.maxReads()) {
          refusal = Optional.of(TerminateCode.INSUFFICIENT_IRD);
        }
      }
      if (!offer.readyToReceive().isEmpty()) {
        Optional<Rtr> common = common(theirs);
        rtr = common.orElse(Rtr.WRITE);
        if (common.isEmpty() && refusal.isEmpty()) {
          refusal = Optional.of(TerminateCode.NO_MATCHING_RTR);
        }
      }
    }
    // RFC 5044 §7.1.1: CRCs are used in both directions if either side asks.
    return new MpaAgreement(offer.crc() || reply.crc(), reply.markers(), offer.markers(), ord, ird,
        rtr, refusal, reply.privateData(), offer, reply);
  }

  /** RFC 6581 §9.2: a type that both sides set. A=1 in the Request asks for A=1 back. */
  private Optional<Rtr> common(EnhancedBlock theirs) {
    return Stream.of(Rtr.WRITE, Rtr.READ, Rtr.SEND)
        .filter(type -> offer.readyToReceive().contains(type) && supports(theirs, type)).findFirst();
  }

  static boolean supports(EnhancedBlock block, Rtr type) {
    return switch (type) {
      case WRITE -> block.rtrWrite();
      case READ -> block.rtrRead();
      case SEND -> block.rtrSend();
    };
  }
}
