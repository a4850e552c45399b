// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.decode;

import dev.rpcrdma.protocol.wire.ChunkLists;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * An RPC-over-RDMA message (RFC 8166) of a capture.
 *
 * @param xid as in the RPC message that it carries
 * @param procedure what kind of message it is
 * @param credits asked for, or granted
 * @param content what follows these
 */
record RpcRdmaMessage(int xid, int procedure, int credits, Content content) {

  private static final String[] PROCEDURES = {"RDMA_MSG", "RDMA_NOMSG", "RDMA_MSGP", "RDMA_DONE", "RDMA_ERROR"};

  /** What a message has behind its fixed fields. */
  sealed interface Content permits Chunks, Malformed, Refusal, Nothing {}

  /**
   * Chunks, and an RPC message or a part of it.
   *
   * @param lists the chunks
   * @param reply whether the message is one; else it is a call
   * @param rpc from its XID on, if its head is here
   */
  record Chunks(ChunkLists lists, boolean reply, Optional<ByteBuffer> rpc) implements Content {

    /** Whether all of the message has to be pulled. */
    boolean pulled() {
      return lists.positionZero().isPresent();
    }
  }

  /** Chunk lists that nobody can read, and why. */
  record Malformed(String why) implements Content {}

  /** The error of an RDMA_ERROR, in the words of RFC 8166. */
  record Refusal(String error) implements Content {}

  /** Nothing more. */
  record Nothing() implements Content {}

  String procedureName() {
    return PROCEDURES[procedure];
  }
}
