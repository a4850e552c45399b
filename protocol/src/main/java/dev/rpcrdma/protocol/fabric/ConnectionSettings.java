// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.fabric;

import dev.rpcrdma.protocol.wire.MetadataBlock;
import dev.rpcrdma.protocol.wire.RawHeader;
import dev.rpcrdma.protocol.wire.WireLimits;

/**
 * What both ends agreed on, and what this end allows, for one connection. Times are in nanoseconds.
 *
 * @param client true on the end that connected
 * @param outboundInline longest Send of this end: min(own send size, peer's receive size) (C-23)
 * @param inboundInline longest Send of the peer: min(peer's send size, own receive size)
 * @param creditsRequested how many calls this end wants to have in flight, at least 1
 * @param creditsGranted how many calls this end serves at once, at least 1
 * @param sendSlots how many Sends and Writes may be posted and not completed, at least 2
 * @param maxTransfer the longest Write or Read that the device takes, in bytes, at least 1; what is longer goes in
 *     several
 * @param outboundReads ORD: how many Reads may be posted and not completed; 0 if none
 * @param remoteInvalidation true if replies may be sent with invalidate: the peer said so
 * @param chunks true if this end's calls may have chunks; false for the short profile of reverse
 *     calls (C-01)
 * @param maxQueuedCalls how many calls may wait for a credit
 * @param limits what to accept in a header
 * @param setAsideNanos how long memory that a peer may still write to is held back after its call
 *     was given up
 * @param maxSetAside how many bytes may be held back in this way
 * @param serviceNanos how long a service may take before its call is answered SYSTEM_ERR
 * @param drainNanos how long calls may take to finish after close
 * @param liveness how long the peer may be silent
 * @param emptyChunks whether the peer is known to take Write chunks without segments (C-16)
 * @param largeReplies what holds for replies that fit nowhere
 * @param metadata whether RPC messages end in a {@link MetadataBlock}, either way
 */
public record ConnectionSettings(
    boolean client,
    int outboundInline,
    int inboundInline,
    int creditsRequested,
    int creditsGranted,
    int sendSlots,
    int maxTransfer,
    int outboundReads,
    boolean remoteInvalidation,
    boolean chunks,
    int maxQueuedCalls,
    WireLimits limits,
    long setAsideNanos,
    long maxSetAside,
    long serviceNanos,
    long drainNanos,
    Liveness liveness,
    boolean emptyChunks,
    LargeReplies largeReplies,
    boolean metadata) {

  /** The least inline threshold. */
  public static final int MIN_INLINE = 1024;

  /** Checks what the machine relies on. */
  public ConnectionSettings {
    if (outboundInline < MIN_INLINE || inboundInline < MIN_INLINE) {
      throw new IllegalArgumentException("An inline threshold is at least " + MIN_INLINE);
    }
    if (creditsRequested < 1 || creditsGranted < 1 || sendSlots < 2 || maxTransfer < 1
        || outboundReads < 0) {
      throw new IllegalArgumentException("Credits, slots, transfers or Reads are out of range");
    }
    if (largeReplies.pulls() && outboundReads == 0) {
      throw new IllegalArgumentException("Replies are pulled by Reads");
    }
  }

  /**
   * How much metadata there is behind an RPC message that has nothing to say.
   *
   * @return bytes; 0 if there is none
   */
  public int emptyMetadata() {
    return metadata ? MetadataBlock.TRAILER_LENGTH : 0;
  }

  /**
   * The longest body of a message of an OPTIONAL header type.
   *
   * @return bytes behind the four fixed words
   */
  public int outboundExtension() {
    return outboundInline - RawHeader.LENGTH;
  }

  /**
   * What holds when the peer has turned out not to pull replies.
   *
   * @return the same, but that nothing is provided
   */
  public ConnectionSettings withoutProviding() {
    return new ConnectionSettings(client, outboundInline, inboundInline, creditsRequested, creditsGranted, sendSlots,
        maxTransfer, outboundReads, remoteInvalidation, chunks, maxQueuedCalls, limits, setAsideNanos, maxSetAside,
        serviceNanos, drainNanos, liveness, emptyChunks, largeReplies.withoutProviding(),
        metadata);
  }

  /**
   * How many Receives must be posted at all times.
   *
   * @return the number
   */
  public int receives() {
    return receives(creditsRequested, creditsGranted, largeReplies.provides(), metadata);
  }

  /**
   * How many Receives must be posted before a connection is made: one for each reply that may come, one for each
   * call that was granted, one for a message that is no call and no reply, and what no credit
   * pays for: one for the RDMA_DONE of each reply that may wait to be pulled (R-279, C-29). Between ends that take
   * metadata two more, for a GIVE_UP or LEAVING of the peer's and the reply to this end's.
   *
   * @param creditsRequested how many calls this end wants to have in flight
   * @param creditsGranted how many calls this end serves at once
   * @param provides whether this end may provide replies to be pulled
   * @param metadata whether this end takes metadata, and so GIVE_UP and LEAVING
   * @return the number
   */
  public static int receives(int creditsRequested, int creditsGranted, boolean provides, boolean metadata) {
    return creditsRequested + creditsGranted + 1 + (provides ? creditsGranted : 0)
        + (metadata ? 2 : 0);
  }
}
