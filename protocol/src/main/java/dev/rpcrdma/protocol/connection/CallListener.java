package dev.rpcrdma.protocol.connection;

import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.xdr.XdrReader;

/** Gets the one outcome of a call. */
public interface CallListener {

  /**
   * The peer replied, and can reach none of the call's memory any more.
   *
   * @param header the reply's head
   * @param results what follows it; valid only during this call, as are its data items unless they
   *     are retained
   */
  void replied(ReplyHeader header, XdrReader results);

  /**
   * There is no reply. What memory the peer may still reach is set aside.
   *
   * @param failure why
   */
  void failed(CallFailure failure);
}
