// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.decode;

import dev.rpcrdma.examples.decode.message.ChunkedMessages;
import dev.rpcrdma.protocol.fault.FaultException;
import dev.rpcrdma.protocol.oncrpc.CallHeader;
import dev.rpcrdma.protocol.oncrpc.OncRpc;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.wire.Chunk;
import dev.rpcrdma.protocol.wire.ChunkLists;
import dev.rpcrdma.protocol.wire.CmPrivateData;
import dev.rpcrdma.protocol.wire.Features;
import dev.rpcrdma.protocol.wire.RawHeader;
import dev.rpcrdma.protocol.wire.ReadChunk;
import dev.rpcrdma.protocol.wire.Segment;
import dev.rpcrdma.protocol.wire.SessionBlock;
import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.protocol.xdr.XdrReader;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** What people want to read of the RPC-over-RDMA messages (RFC 8166) of a connection, and of the RPC heads in them. */
final class RpcText {

  private static final String[] PROCEDURES =
      {"RDMA_MSG", "RDMA_NOMSG", "RDMA_MSGP", "RDMA_DONE", "RDMA_ERROR"};

  /** XIDs of calls that have no reply yet: of the side that opened the connection, and of the other. */
  private final Set<Integer> callsOfOpener = new HashSet<>();
  private final Set<Integer> callsOfAcceptor = new HashSet<>();

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
   * @param fromOpener whether the side that opened the connection has sent it
   * @param message the payload of a Send
   * @return lines to show; none if this is no RPC-over-RDMA
   */
  List<String> message(boolean fromOpener, ByteBuffer message) {
    ByteBuffer bytes = message.slice();
    if (bytes.remaining() < RawHeader.LENGTH || RawHeader.version(bytes) != RawHeader.VERSION
        || Integer.compareUnsigned(RawHeader.procedure(bytes), RawHeader.RDMA_ERROR) > 0) {
      return List.of();
    }
    List<String> lines = new ArrayList<>();
    int procedure = RawHeader.procedure(bytes);
    String head = "XID " + hex(RawHeader.xid(bytes)) + ", " + PROCEDURES[procedure] + ", credits "
        + Integer.toUnsignedString(RawHeader.credits(bytes));
    bytes.position(RawHeader.LENGTH);
    switch (procedure) {
      case RawHeader.RDMA_MSG:
      case RawHeader.RDMA_NOMSG:
        chunks(fromOpener, RawHeader.xid(message.slice()), head, bytes, lines);
        break;
      case RawHeader.RDMA_DONE:
        lines.add(head + ": a reply is done with");
        break;
      case RawHeader.RDMA_ERROR:
        lines.add(head + ", " + error(bytes));
        break;
      default:
        lines.add(head);
    }
    return lines;
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
    return error == RawHeader.ERR_CHUNK ? "ERR_CHUNK" : "error "
        + Integer.toUnsignedString(error);
  }

  private void chunks(boolean fromOpener, int xid, String head, ByteBuffer bytes, List<String> lines) {
    ChunkLists lists;
    try {
      lists = ChunkLists.read(bytes, ChunkedMessages.LIMITS);
    } catch (FaultException e) {
      lines.add(head + ", malformed: " + e.getMessage());
      return;
    }
    boolean reply = !called(fromOpener, xid, bytes);
    boolean pulled = lists.positionZero().isPresent();
    lines.add(head + (pulled ? reply ? ": a reply to be pulled" : ": a Long call" : ""));
    for (ReadChunk chunk : lists.readChunks()) {
      lines.add("Read chunk at position " + Integer.toUnsignedString(chunk.position()) + ": "
          + segments(chunk.segments()));
    }
    for (Chunk chunk : lists.writeChunks()) {
      lines.add("Write chunk: " + segments(chunk.segments()));
    }
    lists.replyChunk().ifPresent(chunk ->
        lines.add("Reply chunk: " + segments(chunk.segments())));
    if (bytes.remaining() >= 8) {
      lines.add(rpc(bytes.slice()));
    }
  }

  /** Whether a message is a call: it has the head of one, or no head, and the other side waits for no such reply. */
  private boolean called(boolean fromOpener, int xid, ByteBuffer payload) {
    Set<Integer> sendersCalls = fromOpener ? callsOfOpener : callsOfAcceptor;
    Set<Integer> othersCalls = fromOpener ? callsOfAcceptor : callsOfOpener;
    boolean call = payload.remaining() >= 8 ? payload.getInt(payload.position() + 4) == OncRpc.CALL
        : !othersCalls.contains(xid);
    if (call) {
      sendersCalls.add(xid);
    } else {
      othersCalls.remove(xid);
    }
    return call;
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
    return "RPC call, XID " + hex(call.xid()) + ", program "
        + Integer.toUnsignedString(call.program()) + " (" + hex(call.program()) + "), version "
        + Integer.toUnsignedString(call.version()) + ", procedure "
        + Integer.toUnsignedString(call.procedure()) + ", credential of flavor "
        + call.credential().flavor();
  }

  private static String reply(ReplyHeader reply) {
    String outcome;
    if (reply instanceof ReplyHeader.Accepted accepted) {
      outcome = accepted.status().name();
    } else if (reply instanceof ReplyHeader.AuthError denied) {
      outcome = "AUTH_ERROR " + denied.status();
    } else {
      outcome = "RPC_MISMATCH";
    }
    return "RPC reply, XID " + hex(reply.xid()) + ", " + outcome;
  }

  private static String hex(int value) {
    return String.format(Locale.ROOT, "0x%08x", value);
  }
}
