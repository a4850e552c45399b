// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.requester;

import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.xdr.XdrReader;

/** Gets the one outcome of a test's call. */
public interface CallListener {

  /** The peer has executed the call. */
  void replied(XdrReader results);

  /** The peer has not executed the call, or could not. */
  void rejected(ReplyHeader header);

  /** There is no reply. */
  void failed(Outcome.Failed failure);

  /** The reply says how long the server took. */
  default void serverTook(long nanos) {}

  /** Whether the call may be sent again when its connection has ended. */
  default boolean sendsAgain() {
    return false;
  }

  /** Its connection has left the call its XID; it has failed, too. */
  default void kept(int xid) {}
}
