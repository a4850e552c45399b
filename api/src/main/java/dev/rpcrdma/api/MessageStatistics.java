// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

/**
 * In which forms messages crossed, and how much they carried.
 *
 * @param sentInline RDMA_MSG messages that this end sent
 * @param sentLong RDMA_NOMSG messages that this end sent
 * @param readChunks Read chunks, other than those at Position zero, that this end offered
 * @param positionZeroChunks Position-Zero Read chunks that this end offered
 * @param writeChunks Write chunks that this end offered and the peer filled
 * @param replyChunks Reply chunks that this end offered and the peer used
 * @param pulledReplies replies that the peer has provided and this end has pulled
 * @param providedReplies replies that this end has provided to be pulled
 * @param bytesSent payload bytes that left this end, whatever the way
 * @param bytesReceived payload bytes that reached this end, whatever the way
 */
public record MessageStatistics(long sentInline, long sentLong, long readChunks, long positionZeroChunks,
    long writeChunks, long replyChunks, long pulledReplies, long providedReplies, long bytesSent,
    long bytesReceived) {

  /** Nothing. */
  public static final MessageStatistics NONE = new MessageStatistics(0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

  /**
   * Both together.
   *
   * @param other more
   * @return a sum
   */
  public MessageStatistics plus(MessageStatistics other) {
    return new MessageStatistics(sentInline + other.sentInline, sentLong + other.sentLong,
        readChunks + other.readChunks, positionZeroChunks + other.positionZeroChunks,
        writeChunks + other.writeChunks, replyChunks + other.replyChunks, pulledReplies + other.pulledReplies,
        providedReplies + other.providedReplies, bytesSent + other.bytesSent, bytesReceived + other.bytesReceived);
  }
}
