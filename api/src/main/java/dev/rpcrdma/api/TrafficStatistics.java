// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

/**
 * What connections carried, those that have ended included; see {@link ConnectionSnapshot} for what the numbers are.
 *
 * @param connections how many are up
 * @param connectionsEnded how many were
 * @param callsSent calls that were sent, repetitions included
 * @param callsServed calls that were answered
 * @param replays calls that were sent again over another connection
 * @param sentInline RDMA_MSG messages
 * @param sentLong RDMA_NOMSG messages
 * @param readChunks Read chunks of arguments
 * @param positionZeroChunks Position-Zero Read chunks
 * @param writeChunks Write chunks
 * @param replyChunks Reply chunks
 * @param pulledReplies replies that were pulled
 * @param providedReplies replies that were provided to be pulled
 * @param bytesSent payload bytes
 * @param bytesReceived payload bytes
 * @param polls how often an event loop has begun to stay awake for what was to come
 */
public record TrafficStatistics(long connections, long connectionsEnded, long callsSent, long callsServed,
    long replays, long sentInline, long sentLong, long readChunks, long positionZeroChunks, long writeChunks,
    long replyChunks, long pulledReplies, long providedReplies, long bytesSent, long bytesReceived, long polls) {

  /** Nothing. */
  public static final TrafficStatistics NONE =
      new TrafficStatistics(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

  /**
   * Both together.
   *
   * @param other more
   * @return a sum
   */
  public TrafficStatistics plus(TrafficStatistics other) {
    return new TrafficStatistics(connections + other.connections, connectionsEnded + other.connectionsEnded,
        callsSent + other.callsSent, callsServed + other.callsServed, replays + other.replays,
        sentInline + other.sentInline, sentLong + other.sentLong, readChunks + other.readChunks,
        positionZeroChunks + other.positionZeroChunks, writeChunks + other.writeChunks,
        replyChunks + other.replyChunks, pulledReplies + other.pulledReplies,
        providedReplies + other.providedReplies, bytesSent + other.bytesSent,
        bytesReceived + other.bytesReceived, polls + other.polls);
  }
}
