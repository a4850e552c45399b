// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.stream;

/**
 * What an initiator sends first, so that the responder may send (RFC 6581 §5). Zero bytes long, and
 * without effect at the peer.
 */
public enum Rtr {
  /** An RDMA Write, to a tag that is not looked at. */
  WRITE,
  /** An RDMA Read, from a tag that is not looked at. */
  READ,
  /** A Send, which takes no Receive. */
  SEND
}
