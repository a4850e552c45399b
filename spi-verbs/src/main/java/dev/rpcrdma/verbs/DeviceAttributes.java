package dev.rpcrdma.verbs;

/**
 * What a device can do. All values hold for as long as it is open.
 *
 * @param maxSendQueueDepth most Sends, Writes and Reads posted and not completed, per queue pair
 * @param maxReceiveQueueDepth most Receives posted and not completed, per queue pair
 * @param maxInlineData longest Send in bytes whose buffer the device may copy when it is posted;
 *     informational: the buffer belongs to the provider until completion all the same
 * @param maxOutboundReads ORD: most RDMA Reads that a queue pair may have outstanding; what a
 *     connection got is in {@link QueuePair#outboundReads()}
 * @param maxInboundReads IRD: most RDMA Reads that a peer may have outstanding
 * @param connectPrivateData longest private data of a connect, in bytes; at least 56
 * @param acceptPrivateData longest private data of an accept, in bytes; at least 56
 * @param rejectPrivateData longest private data of a reject, in bytes; at least 56
 * @param privateDataPadded true if received private data may be followed by zeros up to a length
 *     that the fabric fixes
 * @param remotelyInvalidatable true if a peer's Send With Invalidate may name exposures of this
 *     device
 * @param serialReceives true if nothing of a message is placed before the upcall for the one before it is over:
 *     Receives of one queue pair may share their memory then
 */
public record DeviceAttributes(
    int maxSendQueueDepth,
    int maxReceiveQueueDepth,
    int maxInlineData,
    int maxOutboundReads,
    int maxInboundReads,
    int connectPrivateData,
    int acceptPrivateData,
    int rejectPrivateData,
    boolean privateDataPadded,
    boolean remotelyInvalidatable,
    boolean serialReceives) {
}
