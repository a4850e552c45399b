// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.requester;

/** A message of this end that takes a credit until it is answered. */
interface Outstanding {

  /** The XID that it was given. */
  int xid();

  /** Whether somebody still waits for the answer. */
  boolean owed();
}
