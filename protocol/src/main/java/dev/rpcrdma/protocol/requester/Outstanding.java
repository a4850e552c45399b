// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.requester;

import dev.rpcrdma.protocol.time.Deadlines;

/** A message of this end that takes a credit until it is answered. */
abstract class Outstanding extends Deadlines.Entry {

  /** The XID that it was given. */
  abstract int xid();

  /** Whether somebody still waits for the answer. */
  abstract boolean owed();
}
