// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.requester;

import dev.rpcrdma.protocol.message.MessageChunks;
import dev.rpcrdma.protocol.message.Pull;
import dev.rpcrdma.protocol.time.Deadlines;
import dev.rpcrdma.protocol.wire.ChunkLists;
import java.nio.ByteBuffer;

/** A call that a connection has given an XID, whether or not anybody waits for its reply. */
sealed interface Answerable extends Outstanding permits OutboundCall, AbandonedCall {

  /** What ends it, if no reply does. */
  Deadlines.Entry timer();

  /** Whether a reply may be matched to it. */
  boolean sent();

  /** What the peer may reach for it. */
  MessageChunks chunks();

  /** How large its results may be, without placed items. */
  int room();

  /** How large its placed items may be, for messages; empty if there are none. */
  String placedRoom();

  /** Ends its XID, which is of no use any more. */
  void endXid();

  /** Whether its XID may be of use after a reply; it ends it by itself then. */
  boolean keepsXid();

  /** A reply has come, with sound lists; it is out of the table. */
  void answered(ChunkLists lists, boolean inline, ByteBuffer payload);

  /** A reply has come and was pulled; it is out of the table. Owns what was pulled. */
  void pulled(ChunkLists lists, Pull pull);

  /** An answer has come that is no reply, or none that can be used; it is out of the table. */
  void fail(Outcome.Failed failure);

  /** The connection is lost, and with it all exposures; it is out of the table. */
  void connectionLost(String reason);
}
