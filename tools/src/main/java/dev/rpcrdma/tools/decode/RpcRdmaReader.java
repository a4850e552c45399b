// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.decode;

import dev.rpcrdma.protocol.fault.FaultException;
import dev.rpcrdma.protocol.oncrpc.OncRpc;
import dev.rpcrdma.protocol.wire.ChunkLists;
import dev.rpcrdma.protocol.wire.RawHeader;
import dev.rpcrdma.tools.decode.RpcRdmaMessage.Chunks;
import dev.rpcrdma.tools.decode.RpcRdmaMessage.Content;
import dev.rpcrdma.tools.decode.RpcRdmaMessage.Malformed;
import dev.rpcrdma.tools.decode.RpcRdmaMessage.Nothing;
import dev.rpcrdma.tools.decode.RpcRdmaMessage.Refusal;
import dev.rpcrdma.tools.decode.message.ChunkedMessages;
import dev.rpcrdma.tools.decode.message.OpenCalls;
import dev.rpcrdma.tools.decode.message.RpcMessage;
import dev.rpcrdma.verbs.capture.read.Conversation;
import java.nio.ByteBuffer;
import java.util.Optional;

/** Reads the RPC-over-RDMA messages (RFC 8166) of a connection, in their order. Calls are known for all connections. */
final class RpcRdmaReader {

  private final Conversation conversation;
  private final OpenCalls<Boolean> calls;

  RpcRdmaReader(Conversation conversation, OpenCalls<Boolean> calls) {
    this.conversation = conversation;
    this.calls = calls;
  }

  /**
   * Reads a message.
   *
   * @param fromOpener whether the side that opened the connection has sent it
   * @param message the payload of a Send
   * @return what it is; empty if it is no RPC-over-RDMA
   */
  Optional<RpcRdmaMessage> read(boolean fromOpener, ByteBuffer message) {
    ByteBuffer bytes = message.slice();
    if (bytes.remaining() < RawHeader.LENGTH || RawHeader.version(bytes) != RawHeader.VERSION
        || Integer.compareUnsigned(RawHeader.procedure(bytes), RawHeader.RDMA_ERROR) > 0) {
      return Optional.empty();
    }
    int xid = RawHeader.xid(bytes);
    int procedure = RawHeader.procedure(bytes);
    int credits = RawHeader.credits(bytes);
    bytes.position(RawHeader.LENGTH);
    Content content = switch (procedure) {
      case RawHeader.RDMA_MSG, RawHeader.RDMA_NOMSG -> chunks(fromOpener, xid, bytes);
      case RawHeader.RDMA_ERROR -> new Refusal(error(bytes));
      default -> new Nothing();
    };
    return Optional.of(new RpcRdmaMessage(xid, procedure, credits, content));
  }

  private static String error(ByteBuffer bytes) {
    if (bytes.remaining() < 4) {
      return "cut short";
    }
    int error = bytes.getInt();
    if (error == RawHeader.ERR_VERS && bytes.remaining() >= 8) {
      return "ERR_VERS " + Integer.toUnsignedString(bytes.getInt()) + " to "
          + Integer.toUnsignedString(bytes.getInt());
    }
    return error == RawHeader.ERR_CHUNK ? "ERR_CHUNK" : "error " + Integer.toUnsignedString(error);
  }

  private Content chunks(boolean fromOpener, int xid, ByteBuffer bytes) {
    ChunkLists lists;
    try {
      lists = ChunkLists.read(bytes, ChunkedMessages.LIMITS);
    } catch (FaultException e) {
      return new Malformed(e.getMessage());
    }
    boolean reply = !called(fromOpener, xid, bytes);
    return new Chunks(lists, reply,
        bytes.remaining() >= RpcMessage.LEAST_LENGTH ? Optional.of(bytes.slice()) : Optional.empty());
  }

  /** Whether a message is a call: it has the head of one, or no head, and the other side waits for no such reply. */
  private boolean called(boolean fromOpener, int xid, ByteBuffer payload) {
    boolean call = payload.remaining() >= RpcMessage.LEAST_LENGTH
        ? payload.getInt(payload.position() + 4) == OncRpc.CALL : !calls.has(conversation, !fromOpener, xid);
    if (call) {
      calls.add(conversation, fromOpener, xid, true);
    } else {
      calls.remove(conversation, !fromOpener, xid);
    }
    return call;
  }
}
