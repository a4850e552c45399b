// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.responder;

import java.util.OptionalInt;

/** Hears of Long messages that look like calls, and turn out to be replies. */
public interface StrayReplies {

  /**
   * A reply has come in Read chunks of the peer's.
   *
   * @param xid the reply's
   * @param handle a tag of its chunks
   * @return true if a call of this end has failed by it
   */
  boolean arrived(int xid, OptionalInt handle);

  /**
   * Tells whether a message is being pulled of which nobody knows whether it is a reply or a call.
   *
   * @param xid the message's
   * @return true until the message has been pulled
   */
  boolean isUndecided(int xid);
}
