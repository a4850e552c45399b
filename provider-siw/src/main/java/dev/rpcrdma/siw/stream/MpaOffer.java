// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.stream;

import java.util.Set;

/**
 * What one side brings to startup.
 *
 * @param crc whether it wants CRCs (RFC 5044 §4.4: yes, unless an administrator says otherwise)
 * @param markers whether it wants markers in what it receives (RFC 5044 §4.3); only what observes
 *     strangers ever does
 * @param enhanced whether an initiator uses revision 2 with the enhanced block (RFC 6581)
 * @param readyToReceive the messages by which an initiator can begin in the peer-to-peer model of
 *     RFC 6581; none for the client-server model
 * @param inboundReads its IRD
 * @param outboundReads the ORD it wants
 * @param maxReads the depth to which it could raise its IRD
 * @param privateData of the consumer
 */
public record MpaOffer(boolean crc, boolean markers, boolean enhanced, Set<Rtr> readyToReceive,
    int inboundReads, int outboundReads, int maxReads, byte[] privateData) {
}
