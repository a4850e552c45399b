package dev.rpcrdma.protocol.requester;

import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.xdr.XdrReader;

/** Gets the one outcome of a call. */
public interface CallListener {

  /**
   * The peer has executed the call, and can reach none of its memory any more.
   *
   * @param results what follows the reply's head; valid only during this call, as are its data items
   *     unless they are retained
   */
  void replied(XdrReader results);

  /**
   * The peer replied that it did not execute the call, or could not, and can reach none of its memory
   * any more.
   *
   * @param header the reply's head, which says why
   */
  void rejected(ReplyHeader header);

  /**
   * The connection is lost, or closed, and the call may have been executed: {@link #failed} follows.
   *
   * @param xids where the XID comes from
   * @param xid the call's
   * @return true if the listener takes the XID over, to send the call again; it gives it back to
   *     {@code xids} when that has become of no use
   */
  default boolean keep(XidSlots xids, int xid) {
    return false;
  }

  /**
   * There is no reply. What memory the peer may still reach is set aside.
   *
   * @param failure why
   */
  void failed(CallFailure failure);
}
