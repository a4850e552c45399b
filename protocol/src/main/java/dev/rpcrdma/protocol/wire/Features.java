// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.wire;

/**
 * What an end of this library can do beyond RPC-over-RDMA version 1, as it shows by the flags of its
 * {@link SessionBlock}. A flag that is not known says nothing.
 *
 * @param pullsReplies it pulls replies that their responder provides (flag 1)
 * @param providesReplies it provides replies that fit nowhere (flag 2)
 * @param doneInvalidates RDMA_DONE may invalidate one tag of a reply that it provides (flag 4, C-28)
 * @param metadata it takes a {@link MetadataBlock} at the end of RPC messages (flag 8)
 */
public record Features(
    boolean pullsReplies, boolean providesReplies, boolean doneInvalidates, boolean metadata) {

  /** Version 1 and no more. */
  public static final Features NONE = new Features(false, false, false, false);

  private static final int PULLS_REPLIES = 1;
  private static final int PROVIDES_REPLIES = 2;
  private static final int DONE_INVALIDATES = 4;
  private static final int METADATA = 8;

  byte toByte() {
    return (byte) ((pullsReplies ? PULLS_REPLIES : 0) | (providesReplies ? PROVIDES_REPLIES : 0)
        | (doneInvalidates ? DONE_INVALIDATES : 0) | (metadata ? METADATA : 0));
  }

  static Features of(byte flags) {
    return new Features((flags & PULLS_REPLIES) != 0, (flags & PROVIDES_REPLIES) != 0,
        (flags & DONE_INVALIDATES) != 0, (flags & METADATA) != 0);
  }
}
