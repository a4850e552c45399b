// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.decode;

import dev.rpcrdma.protocol.oncrpc.CallHeader;
import dev.rpcrdma.protocol.oncrpc.OncRpc;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.wire.Chunk;
import dev.rpcrdma.protocol.wire.CmPrivateData;
import dev.rpcrdma.protocol.wire.Features;
import dev.rpcrdma.protocol.wire.RawHeader;
import dev.rpcrdma.protocol.wire.ReadChunk;
import dev.rpcrdma.protocol.wire.Segment;
import dev.rpcrdma.protocol.wire.SessionBlock;
import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.tools.decode.RpcRdmaMessage.Chunks;
import dev.rpcrdma.tools.decode.RpcRdmaMessage.Malformed;
import dev.rpcrdma.tools.decode.RpcRdmaMessage.Refusal;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What people want to read of RPC-over-RDMA messages (RFC 8166), and of the RPC heads in them. */
final class RpcText {

  private RpcText() {}

  /**
   * What a side tells of itself when it connects (RFC 8797, and the block of this library).
   *
   * @return a line for each block that the private data has
   */
  static List<String> startup(ByteBuffer privateData) {
    byte[] bytes = new byte[privateData.remaining()];
    privateData.get(privateData.position(), bytes);
    List<String> lines = new ArrayList<>();
    CmPrivateData.find(bytes).ifPresent(found -> lines.add(
        "RPC-over-RDMA: sends up to " + found.sendSize() + ", receives up to "
            + found.receiveSize() + " bytes inline"
            + (found.remoteInvalidation() ? ", copes with remote invalidation" : "")));
    SessionBlock.find(bytes).ifPresent(found -> lines.add("vertx-rpcrdma: remembers calls by "
        + (1 << found.slotBits()) + " slots" + features(found.features())));
    return lines;
  }

  private static String features(Features features) {
    return (features.pullsReplies() ? ", pulls replies" : "")
        + (features.providesReplies() ? ", provides replies to be pulled" : "")
        + (features.doneInvalidates() ? ", takes RDMA_DONE that invalidates" : "");
  }

  /**
   * A message.
   *
   * @return lines to show
   */
  static List<String> message(RpcRdmaMessage message) {
    List<String> lines = new ArrayList<>();
    String head = "XID " + hex(message.xid()) + ", " + message.procedureName() + ", credits "
        + Integer.toUnsignedString(message.credits());
    if (message.content() instanceof Chunks chunks) {
      lines.add(head + (chunks.pulled() ? chunks.reply() ? ": a reply to be pulled" : ": a Long call" : ""));
      chunks(chunks, lines);
    } else if (message.content() instanceof Malformed malformed) {
      lines.add(head + ", malformed: " + malformed.why());
    } else if (message.content() instanceof Refusal refusal) {
      lines.add(head + ", " + refusal.error());
    } else {
      lines.add(head + (message.procedure() == RawHeader.RDMA_DONE ? ": a reply is done with" : ""));
    }
    return lines;
  }

  private static void chunks(Chunks chunks, List<String> lines) {
    for (ReadChunk chunk : chunks.lists().readChunks()) {
      lines.add("Read chunk at position " + Integer.toUnsignedString(chunk.position()) + ": "
          + segments(chunk.segments()));
    }
    for (Chunk chunk : chunks.lists().writeChunks()) {
      lines.add("Write chunk: " + segments(chunk.segments()));
    }
    chunks.lists().replyChunk().ifPresent(chunk -> lines.add("Reply chunk: " + segments(chunk.segments())));
    chunks.rpc().ifPresent(rpc -> lines.add(rpc(rpc)));
  }

  private static String segments(List<Segment> segments) {
    List<String> texts = new ArrayList<>();
    for (Segment segment : segments) {
      texts.add(segment.unsignedLength() + " bytes of " + hex(segment.handle()) + " at 0x"
          + Long.toHexString(segment.offset()));
    }
    return texts.isEmpty() ? "empty" : String.join("; ", texts);
  }

  /**
   * The head of an RPC message.
   *
   * @param payload at its XID, with the msg_type at least
   * @return a line
   */
  static String rpc(ByteBuffer payload) {
    try {
      return payload.getInt(4) == OncRpc.CALL ? call(CallHeader.decode(new XdrReader(payload)))
          : reply(ReplyHeader.decode(new XdrReader(payload)));
    } catch (XdrException e) {
      return "RPC message of " + payload.remaining() + " bytes: " + e.getMessage();
    }
  }

  private static String call(CallHeader call) {
    if (call.rpcVersion() != OncRpc.RPC_VERSION) {
      return "RPC call, XID " + hex(call.xid()) + ", " + otherVersion(call);
    }
    return "RPC call, XID " + hex(call.xid()) + ", program "
        + Integer.toUnsignedString(call.program()) + " (" + hex(call.program()) + "), version "
        + Integer.toUnsignedString(call.version()) + ", procedure "
        + Integer.toUnsignedString(call.procedure()) + ", credential of flavor "
        + Integer.toUnsignedString(call.credential().flavor());
  }

  /** Names the RPC version of a call of which nothing more is read. */
  static String otherVersion(CallHeader call) {
    return "of RPC version " + Integer.toUnsignedString(call.rpcVersion());
  }

  private static String reply(ReplyHeader reply) {
    return "RPC reply, XID " + hex(reply.xid()) + ", " + outcome(reply);
  }

  /** What came of a call, in the words of RFC 5531. */
  static String outcome(ReplyHeader reply) {
    if (reply instanceof ReplyHeader.Accepted accepted) {
      return accepted.status().name();
    }
    return reply instanceof ReplyHeader.AuthError denied ? "AUTH_ERROR " + denied.status() : "RPC_MISMATCH";
  }

  static String hex(int value) {
    return String.format(Locale.ROOT, "0x%08x", value);
  }
}
