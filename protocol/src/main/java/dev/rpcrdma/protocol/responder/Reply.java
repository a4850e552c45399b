// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.responder;

import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.xdr.PayloadStream;

/**
 * A reply, apart from its transmissions: each of them writes the head anew, with a verifier of its own.
 *
 * @param header how the call fared
 * @param results what follows the head
 * @param overloaded whether the call was not executed for a bound on calls; sent in the metadata, if any
 */
public record Reply(ReplyHeader header, PayloadStream results, boolean overloaded) {

  /**
   * A reply without results.
   *
   * @param header how the call fared
   */
  public Reply(ReplyHeader header) {
    this(header, PayloadStream.EMPTY, false);
  }

  /**
   * The reply to a call that was executed.
   *
   * @param xid the call's
   * @param results its results
   * @return head and results
   */
  public static Reply success(int xid, PayloadStream results) {
    return new Reply(new ReplyHeader.Accepted(xid, AcceptStatus.SUCCESS), results, false);
  }

  /**
   * The reply to a call whose service has failed.
   *
   * @param xid the call's
   * @return a head
   */
  public static Reply systemError(int xid) {
    return new Reply(new ReplyHeader.Accepted(xid, AcceptStatus.SYSTEM_ERR));
  }

  /**
   * Returns the reply to a call that was not executed for a bound on calls.
   *
   * @param xid the call's
   * @return a head
   */
  public static Reply overloaded(int xid) {
    return new Reply(new ReplyHeader.Accepted(xid, AcceptStatus.SYSTEM_ERR), PayloadStream.EMPTY, true);
  }

  /**
   * Whether results follow the head.
   *
   * @return false if the head says why there are none
   */
  public boolean isSuccess() {
    return header instanceof ReplyHeader.Accepted accepted && accepted.status() == AcceptStatus.SUCCESS;
  }

  /**
   * A copy that shares no memory with what others may change.
   *
   * @return on the heap
   */
  public Reply copy() {
    return new Reply(header, results.copy(), overloaded);
  }
}
