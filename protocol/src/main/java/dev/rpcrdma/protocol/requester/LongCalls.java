// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.requester;

import dev.rpcrdma.protocol.message.Pull;
import dev.rpcrdma.protocol.wire.ChunkLists;

/** Takes what was pulled as the reply to a call of this end, and turned out to be a Long call of the peer. */
public interface LongCalls {

  /**
   * A Long call has come, and all of it is here.
   *
   * @param xid the call's
   * @param lists its chunk lists, with one Read chunk at Position zero at least
   * @param pull what its Read chunks hold; the taker owns it
   * @param now the time
   */
  void take(int xid, ChunkLists lists, Pull pull, long now);

  /**
   * A Long call has come that cannot be pulled.
   *
   * @param xid the call's
   */
  void refuse(int xid);

  /**
   * Hears that a message which might have been a call is none.
   *
   * @param xid the message's
   */
  void none(int xid);
}
