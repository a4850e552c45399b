package dev.rpcrdma.siw.stream;

/**
 * What one side brings to startup.
 *
 * @param crc whether it wants CRCs (RFC 5044 §4.4: yes, unless an administrator says otherwise)
 * @param peerToPeer whether an initiator asks for the peer-to-peer model of RFC 6581
 * @param inboundReads its IRD
 * @param outboundReads the ORD it wants
 * @param maxReads the depth to which it could raise its IRD
 * @param privateData of the consumer
 */
public record MpaOffer(boolean crc, boolean peerToPeer, int inboundReads, int outboundReads,
    int maxReads, byte[] privateData) {
}
