// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.fabric;

/**
 * What holds for replies that fit neither a Send nor a Reply chunk: their responder keeps them, says where they
 * are by a Position-Zero Read chunk, and frees them when their requester has pulled them and said RDMA_DONE
 * (draft-cel-nfsv4-rpcrdma-reliable-reply §4.1). Each direction is agreed on for itself.
 *
 * @param pulls whether this end pulls replies to its calls: it can, and the peer provides them
 * @param provides whether this end provides its replies: it can, and the peer pulls them
 * @param doneInvalidates whether RDMA_DONE of this end invalidates one tag of the reply: both ends have shown that
 *     they take that (R-273, R-274, C-28)
 * @param maxProvided how many bytes may wait to be pulled by the peer; replies beyond wait for those before them
 * @param waitNanos how long a reply is there to be pulled after it was sent, in nanoseconds
 */
public record LargeReplies(
    boolean pulls, boolean provides, boolean doneInvalidates, long maxProvided, long waitNanos) {

  /** Replies go into Sends and Reply chunks alone. */
  public static final LargeReplies NONE = new LargeReplies(false, false, false, 0, 0);

  /**
   * What holds when the peer has turned out not to pull.
   *
   * @return the same, but that nothing is provided
   */
  public LargeReplies withoutProviding() {
    return new LargeReplies(pulls, false, doneInvalidates, maxProvided, waitNanos);
  }
}
