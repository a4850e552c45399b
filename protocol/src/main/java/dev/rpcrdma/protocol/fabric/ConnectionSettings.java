// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.fabric;

import dev.rpcrdma.protocol.wire.MetadataBlock;
import dev.rpcrdma.protocol.wire.RawHeader;
import dev.rpcrdma.protocol.wire.WireLimits;

/**
 * What both ends agreed on, and what this end allows, for one connection. Times are in nanoseconds.
 *
 * @param client true on the end that connected
 * @param inline how long Sends may be
 * @param credits how many calls are in flight
 * @param posts what the device takes
 * @param peer what the peer takes
 * @param chunks true if this end's calls may have chunks; false for the short profile of reverse
 *     calls (C-01)
 * @param maxQueuedCalls how many calls may wait for a credit
 * @param limits what to accept in a header
 * @param setAside what is held back of memory that a peer may still write to
 * @param times how long things may take
 * @param liveness how long the peer may be silent
 * @param largeReplies what holds for replies that fit nowhere
 */
public record ConnectionSettings(
    boolean client,
    Inline inline,
    Credits credits,
    Posts posts,
    Peer peer,
    boolean chunks,
    int maxQueuedCalls,
    WireLimits limits,
    SetAside setAside,
    Times times,
    Liveness liveness,
    LargeReplies largeReplies) {

  /** The least inline threshold. */
  public static final int MIN_INLINE = 1024;

  /**
   * How long Sends may be.
   *
   * @param outbound longest Send of this end: min(own send size, peer's receive size) (C-23)
   * @param inbound longest Send of the peer: min(peer's send size, own receive size)
   */
  public record Inline(int outbound, int inbound) {

    /** Checks the range. */
    public Inline {
      if (outbound < MIN_INLINE || inbound < MIN_INLINE) {
        throw new IllegalArgumentException("An inline threshold is at least " + MIN_INLINE);
      }
    }
  }

  /**
   * How many calls are in flight.
   *
   * @param requested how many calls this end wants to have in flight, at least 1
   * @param granted how many calls this end serves at once, at least 1
   */
  public record Credits(int requested, int granted) {

    /** Checks the ranges. */
    public Credits {
      if (requested < 1 || granted < 1) {
        throw new IllegalArgumentException("Credits are at least 1");
      }
    }
  }

  /**
   * What the device takes.
   *
   * @param sendSlots how many Sends and Writes may be posted and not completed, at least 2
   * @param maxTransfer the longest Write or Read, in bytes, at least 1; what is longer goes in several
   * @param outboundReads ORD: how many Reads may be posted and not completed; 0 if none
   */
  public record Posts(int sendSlots, int maxTransfer, int outboundReads) {

    /** Checks the ranges. */
    public Posts {
      if (sendSlots < 2 || maxTransfer < 1 || outboundReads < 0) {
        throw new IllegalArgumentException("Slots, transfers or Reads are out of range");
      }
    }
  }

  /**
   * What the peer takes.
   *
   * @param remoteInvalidation true if replies may be sent with invalidate: it said so
   * @param emptyChunks whether it is known to take Write chunks without segments (C-16)
   * @param metadata whether RPC messages end in a {@link MetadataBlock}, either way
   */
  public record Peer(boolean remoteInvalidation, boolean emptyChunks, boolean metadata) {}

  /**
   * What is held back of memory that a peer may still write to when its call was given up.
   *
   * @param nanos for how long
   * @param most how many bytes
   */
  public record SetAside(long nanos, long most) {}

  /**
   * How long things may take.
   *
   * @param serviceNanos a service, before its call is answered SYSTEM_ERR
   * @param drainNanos calls, to finish after close
   */
  public record Times(long serviceNanos, long drainNanos) {}

  /** Checks what the machine relies on. */
  public ConnectionSettings {
    if (largeReplies.pulls() && posts.outboundReads() == 0) {
      throw new IllegalArgumentException("Replies are pulled by Reads");
    }
  }

  /**
   * Longest Send of this end.
   *
   * @return bytes
   */
  public int outboundInline() {
    return inline.outbound();
  }

  /**
   * Longest Send of the peer.
   *
   * @return bytes
   */
  public int inboundInline() {
    return inline.inbound();
  }

  /**
   * How many calls this end wants to have in flight.
   *
   * @return at least 1
   */
  public int creditsRequested() {
    return credits.requested();
  }

  /**
   * How many calls this end serves at once.
   *
   * @return at least 1
   */
  public int creditsGranted() {
    return credits.granted();
  }

  /**
   * How many Sends and Writes may be posted and not completed.
   *
   * @return at least 2
   */
  public int sendSlots() {
    return posts.sendSlots();
  }

  /**
   * The longest Write or Read.
   *
   * @return bytes
   */
  public int maxTransfer() {
    return posts.maxTransfer();
  }

  /**
   * How many Reads may be posted and not completed.
   *
   * @return 0 if none
   */
  public int outboundReads() {
    return posts.outboundReads();
  }

  /**
   * Whether replies may be sent with invalidate.
   *
   * @return true if the peer said so
   */
  public boolean remoteInvalidation() {
    return peer.remoteInvalidation();
  }

  /**
   * Whether the peer is known to take Write chunks without segments (C-16).
   *
   * @return true if it is
   */
  public boolean emptyChunks() {
    return peer.emptyChunks();
  }

  /**
   * Whether RPC messages end in a {@link MetadataBlock}, either way.
   *
   * @return true if both ends take it
   */
  public boolean metadata() {
    return peer.metadata();
  }

  /**
   * How long memory is held back that a peer may still write to.
   *
   * @return nanoseconds
   */
  public long setAsideNanos() {
    return setAside.nanos();
  }

  /**
   * How many bytes may be held back in this way.
   *
   * @return bytes
   */
  public long maxSetAside() {
    return setAside.most();
  }

  /**
   * How long a service may take before its call is answered SYSTEM_ERR.
   *
   * @return nanoseconds
   */
  public long serviceNanos() {
    return times.serviceNanos();
  }

  /**
   * How long calls may take to finish after close.
   *
   * @return nanoseconds
   */
  public long drainNanos() {
    return times.drainNanos();
  }

  /**
   * How much metadata there is behind an RPC message that has nothing to say.
   *
   * @return bytes; 0 if there is none
   */
  public int emptyMetadata() {
    return metadata() ? MetadataBlock.TRAILER_LENGTH : 0;
  }

  /**
   * The longest body of a message of an OPTIONAL header type.
   *
   * @return bytes behind the four fixed words
   */
  public int outboundExtension() {
    return outboundInline() - RawHeader.LENGTH;
  }

  /**
   * What holds when the peer has turned out not to pull replies.
   *
   * @return the same, but that nothing is provided
   */
  public ConnectionSettings withoutProviding() {
    return new ConnectionSettings(client, inline, credits, posts, peer, chunks, maxQueuedCalls, limits, setAside, times,
        liveness, largeReplies.withoutProviding());
  }

  /**
   * How many Receives must be posted at all times.
   *
   * @return the number
   */
  public int receives() {
    return receives(creditsRequested(), creditsGranted(), largeReplies.provides(), metadata());
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
