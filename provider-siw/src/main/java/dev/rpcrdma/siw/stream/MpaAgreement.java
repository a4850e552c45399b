// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.stream;

import dev.rpcrdma.siw.wire.MpaFrame;
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
 * @param rtr what the initiator sends first: what was agreed on in the peer-to-peer model, and
 *     {@link Rtr#WRITE} without. A Send takes no Receive only if it was agreed on
 * @param refusal why this side cannot go on although the peer has accepted; the peer is told by a
 *     Terminate
 * @param privateData the peer's
 * @param offer what this side brought
 * @param peer the peer's Request or Reply
 */
public record MpaAgreement(
    boolean crc,
    boolean markersSent,
    boolean markersReceived,
    int outboundReads,
    int inboundReads,
    Rtr rtr,
    Optional<TerminateCode> refusal,
    byte[] privateData,
    MpaOffer offer,
    MpaFrame peer) {
}
