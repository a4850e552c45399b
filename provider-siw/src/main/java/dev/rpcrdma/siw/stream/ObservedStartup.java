// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.stream;

import dev.rpcrdma.siw.wire.EnhancedBlock;
import dev.rpcrdma.siw.wire.MpaFrame;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Set;

/**
 * The startup of two others, as seen on the wire: a responder reads the one's Request, and an
 * initiator that offers what the Request says reads the other's Reply.
 */
public final class ObservedStartup {

  private final MpaResponder responder = new MpaResponder();
  private MpaInitiator initiator;

  /** Creates the observer. */
  public ObservedStartup() {}

  /**
   * Takes bytes of the Request.
   *
   * @param in what the initiator has sent
   * @return true if the Request is complete
   * @throws StartupException if it is not a Request that can be understood
   */
  public boolean request(ByteBuffer in) throws StartupException {
    boolean complete = responder.receive(in);
    if (complete) {
      initiator = new MpaInitiator(offer(responder.request()));
    }
    return complete;
  }

  /**
   * Whether what the initiator sends is nothing that MPA knows.
   *
   * @return true if {@link #request(ByteBuffer)} threw because the key is wrong
   */
  public boolean isForeign() {
    return responder.isForeign();
  }

  /**
   * Tells whether the Request has begun.
   *
   * @return true from the last byte of the key on, which tells that it is a Request
   */
  public boolean requestHasBegun() {
    return responder.requestHasBegun();
  }

  /**
   * Tells whether the Reply has begun.
   *
   * @return true from the last byte of the key on
   */
  public boolean replyHasBegun() {
    return initiator.replyHasBegun();
  }

  /**
   * Takes bytes of the Reply.
   *
   * @param in what the responder has sent
   * @return true if the Reply is complete
   * @throws StartupException if it is not a Reply to this Request
   */
  public boolean reply(ByteBuffer in) throws StartupException {
    return initiator.receive(in);
  }

  /**
   * The Request.
   *
   * @return the frame, once it is complete
   */
  public MpaFrame request() {
    return responder.request();
  }

  /**
   * The Reply.
   *
   * @return the frame, once it is complete
   */
  public MpaFrame reply() {
    return initiator.reply();
  }

  /**
   * What the initiator has settled.
   *
   * @return its agreement
   */
  public MpaAgreement initiator() {
    return initiator.agreement();
  }

  /**
   * What the responder has settled.
   *
   * @return its agreement
   */
  public MpaAgreement responder() {
    return responder.accept(offer(initiator.reply()));
  }

  private static MpaOffer offer(MpaFrame frame) {
    EnhancedBlock block = frame.enhanced().orElse(EnhancedBlock.clientServer(
        EnhancedBlock.NO_NEGOTIATION, EnhancedBlock.NO_NEGOTIATION));
    Set<Rtr> rtr = EnumSet.noneOf(Rtr.class);
    for (Rtr type : Rtr.values()) {
      if (MpaInitiator.supports(block, type)) {
        rtr.add(type);
      }
    }
    return new MpaOffer(frame.crc(), frame.markers(), frame.enhanced().isPresent(), rtr,
        block.ird(), block.ord(), EnhancedBlock.NO_NEGOTIATION, frame.privateData());
  }
}
