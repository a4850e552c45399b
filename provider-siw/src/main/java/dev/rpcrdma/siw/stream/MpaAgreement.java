package dev.rpcrdma.siw.stream;

import dev.rpcrdma.siw.wire.TerminateCode;
import java.util.Optional;

/**
 * What startup has settled, from one side's view.
 *
 * @param crc whether CRCs are made and checked, in both directions
 * @param markersSent whether the peer wants markers, which then go into all FPDUs to it
 * @param markersReceived whether this side has asked for them, which our connections never do
 * @param outboundReads ORD: Reads this side may have outstanding
 * @param inboundReads IRD: Reads the peer may have outstanding
 * @param rtr on the initiator, what it sends first; on the responder, {@link Rtr#SEND} if the peer
 *     may start with a Send that takes no Receive, else {@link Rtr#WRITE}
 * @param refusal why this side cannot go on although the peer has accepted; the peer is told by a
 *     Terminate
 * @param privateData the peer's
 */
public record MpaAgreement(
    boolean crc,
    boolean markersSent,
    boolean markersReceived,
    int outboundReads,
    int inboundReads,
    Rtr rtr,
    Optional<TerminateCode> refusal,
    byte[] privateData) {
}
