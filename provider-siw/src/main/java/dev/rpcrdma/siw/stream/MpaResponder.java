// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.stream;

import dev.rpcrdma.siw.wire.EnhancedBlock;
import dev.rpcrdma.siw.wire.MpaFrame;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * Startup of the side that listened (RFC 5044 §7.1.2, RFC 6581).
 *
 * <p>Call {@link #receive} with what arrives until it says true; then {@link #accept} and
 * {@link #acceptance}, or {@link #rejection}, and send the bytes. Bytes that {@code receive} leaves
 * are an error of the peer: it may not send before it has the Reply.
 */
public final class MpaResponder {

  private final MpaFrameReader reader = new MpaFrameReader(true);
  private MpaFrame request;

  /** Creates the machine. */
  public MpaResponder() {}

  /**
   * Takes bytes of the Request.
   *
   * @param in what has arrived
   * @return true if the Request is complete
   * @throws StartupException if it is not a Request that can be understood
   */
  public boolean receive(ByteBuffer in) throws StartupException {
    if (!reader.feed(in)) {
      return false;
    }
    MpaFrame frame = reader.frame();
    if (frame.revision() < 1 || frame.revision() > 2) {
      throw new StartupException("The peer's MPA Request has revision " + frame.revision()
          + "; 1 and 2 are known");
    }
    request = frame;
    return true;
  }

  /** Tells whether the key of a Request has come. */
  boolean requestHasBegun() {
    return reader.hasKey();
  }

  /** Whether a wrong key was the end. */
  boolean isForeign() {
    return !reader.keyMatches();
  }

  /**
   * The Request.
   *
   * @return the frame, once it is complete
   */
  MpaFrame request() {
    return request;
  }

  /**
   * What the peer's consumer sent.
   *
   * @return private data
   */
  public byte[] privateData() {
    return request.privateData();
  }

  /**
   * The initiator's IRD (RFC 6581 §9.1).
   *
   * @return as it came; empty if it leaves that to this side, or knows only RFC 5044
   */
  public OptionalInt inboundReads() {
    return request.enhanced().map(theirs -> told(theirs.ird())).orElse(OptionalInt.empty());
  }

  /**
   * The initiator's ORD (RFC 6581 §9.1).
   *
   * @return as it came; empty if it leaves that to this side, or knows only RFC 5044
   */
  public OptionalInt outboundReads() {
    return request.enhanced().map(theirs -> told(theirs.ord())).orElse(OptionalInt.empty());
  }

  private static OptionalInt told(int depth) {
    return depth == EnhancedBlock.NO_NEGOTIATION ? OptionalInt.empty() : OptionalInt.of(depth);
  }

  /**
   * What an acceptance settles.
   *
   * @param offer what this side brings
   * @return the agreement
   */
  public MpaAgreement accept(MpaOffer offer) {
    int ord = offer.outboundReads();
    if (request.enhanced().isPresent()) {
      EnhancedBlock theirs = request.enhanced().get();
      if (theirs.ird() != EnhancedBlock.NO_NEGOTIATION) {
        ord = Math.min(ord, theirs.ird());
      }
    }
    Rtr rtr = request.enhanced().map(MpaResponder::harmless).orElse(Rtr.WRITE);
    return new MpaAgreement(offer.crc() || request.crc(), request.markers(), offer.markers(), ord,
        offer.inboundReads(), rtr, Optional.empty(), request.privateData(), offer, request);
  }

  /**
   * RFC 6581 §9.2: one type, the most harmless of those offered: a Write, a Read, a Send. If none is
   * offered, one that this side supports.
   */
  private static Rtr harmless(EnhancedBlock theirs) {
    return Stream.of(Rtr.WRITE, Rtr.READ, Rtr.SEND)
        .filter(type -> MpaInitiator.supports(theirs, type)).findFirst().orElse(Rtr.WRITE);
  }

  /**
   * The Reply that accepts. Its revision is the Request's, and it has the enhanced block exactly if
   * the Request had it (RFC 6581 §10).
   *
   * @param offer what this side brings
   * @param agreement of {@link #accept}
   * @return the frame's bytes
   */
  public byte[] acceptance(MpaOffer offer, MpaAgreement agreement) {
    Optional<EnhancedBlock> block = request.enhanced().map(theirs -> {
      // 0x3FFF is answered with 0x3FFF in the counterpart, and local values stay (RFC 6581 §9.1).
      int ird = theirs.ord() == EnhancedBlock.NO_NEGOTIATION
          ? EnhancedBlock.NO_NEGOTIATION : agreement.inboundReads();
      int ord = theirs.ird() == EnhancedBlock.NO_NEGOTIATION
          ? EnhancedBlock.NO_NEGOTIATION : agreement.outboundReads();
      boolean told = theirs.peerToPeer();
      return new EnhancedBlock(told, told && agreement.rtr() == Rtr.SEND,
          told && agreement.rtr() == Rtr.WRITE, told && agreement.rtr() == Rtr.READ, ird, ord);
    });
    return new MpaFrame(false, offer.markers(), agreement.crc(), false, request.revision(), block,
        offer.privateData()).encode();
  }

  /**
   * The Reply that rejects.
   *
   * @param crc as in {@link MpaOffer}
   * @param privateData of the consumer
   * @return the frame's bytes
   */
  public byte[] rejection(boolean crc, byte[] privateData) {
    return new MpaFrame(false, false, crc || request.crc(), true, request.revision(),
        request.enhanced().map(theirs -> EnhancedBlock.clientServer(0, 0)), privateData).encode();
  }
}
