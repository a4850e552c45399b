// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.responder;

import java.util.function.Supplier;

/** Remembers one call of the peer beyond the connection that it came over. Hears of one ending. */
public interface CallRecord {

  /**
   * The call was executed, and is answered; also if the connection that it came over is lost by now.
   * Told before the reply is planned for any connection.
   *
   * @param reply gives head and results, and is asked for them now, once, or not at all; whoever keeps them
   *     keeps a copy
   */
  void replied(Supplier<Reply> reply);

  /**
   * The call was judged, is not executed, and is answered.
   *
   * @param reply the head that says why
   */
  void refused(Reply reply);

  /** The call came to no verdict: its chunks could not be pulled, it is none, or its connection is lost. */
  void dropped();

  /**
   * The connection is lost, and the requester has not pulled the reply.
   *
   * @param xid of the call
   * @param reply whoever keeps it retains its items
   */
  void undelivered(int xid, Reply reply);

  /**
   * The requester has the reply, and will not ask for it again.
   *
   * @param xid of the call
   */
  void delivered(int xid);

  /**
   * The connection is lost while a service executes the call; {@link #replied} may follow.
   *
   * @param deadline until when the service may take, on the embedder's clock
   */
  void orphaned(long deadline);

  /** The requester has given up a repetition of the call, before it was answered: it does not come again with it. */
  void givenUp();
}
