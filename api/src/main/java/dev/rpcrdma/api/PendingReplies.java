// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

/**
 * Replies that are made and not taken yet, and calls that wait for that, of all connections of the devices of a server.
 * Others with the same bound on the same device are among them.
 *
 * @param bytes of replies that are held, or expected of calls in service; more than the bound if they have turned out
 *     longer
 * @param maxBytes the bound, for all devices together; see {@link RpcOptions#setMaxPendingReplyBytes}
 * @param callsWaiting calls that wait before their services get them
 */
public record PendingReplies(long bytes, long maxBytes, int callsWaiting) {

  /** Those of a server that does not listen. */
  public static final PendingReplies NONE = new PendingReplies(0, 0, 0);

  /**
   * Those of two devices.
   *
   * @param other those of the other one
   * @return the sum
   */
  public PendingReplies plus(PendingReplies other) {
    return new PendingReplies(bytes + other.bytes, maxBytes + other.maxBytes, callsWaiting + other.callsWaiting);
  }
}
