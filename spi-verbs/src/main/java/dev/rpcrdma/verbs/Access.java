// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs;

/** What a peer may do with exposed memory. */
public enum Access {
  /** Read it with RDMA Reads. */
  REMOTE_READ,
  /** Write it with RDMA Writes. */
  REMOTE_WRITE
}
