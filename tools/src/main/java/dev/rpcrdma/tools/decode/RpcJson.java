// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.decode;

import dev.rpcrdma.protocol.oncrpc.CallHeader;
import dev.rpcrdma.protocol.oncrpc.OncRpc;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.wire.Chunk;
import dev.rpcrdma.protocol.wire.ReadChunk;
import dev.rpcrdma.protocol.wire.Segment;
import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.tools.decode.RpcRdmaMessage.Chunks;
import dev.rpcrdma.tools.decode.RpcRdmaMessage.Malformed;
import dev.rpcrdma.tools.decode.RpcRdmaMessage.Refusal;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * Makes JSON of RPC-over-RDMA messages (RFC 8166), and of the RPC heads in them. XIDs, handles and offsets are
 * text, as {@link RpcText} shows them; the other numbers are numbers.
 */
final class RpcJson {

  private RpcJson() {}

  /** What a side tells of itself when it connects: the same lines as for people. */
  static JsonObject startup(ByteBuffer privateData) {
    return new JsonObject().put("length", privateData.remaining())
        .put("text", new JsonArray(RpcText.startup(privateData)));
  }

  /** The RPC-over-RDMA header. */
  static JsonObject message(RpcRdmaMessage message) {
    JsonObject json = new JsonObject().put("xid", RpcText.hex(message.xid()))
        .put("procedure", message.procedureName()).put("credits", Integer.toUnsignedLong(message.credits()));
    if (message.content() instanceof Chunks chunks) {
      json.put("type", chunks.reply() ? "reply" : "call").put("pulled", chunks.pulled());
      chunks(json, chunks);
    } else if (message.content() instanceof Malformed malformed) {
      json.put("malformed", malformed.why());
    } else if (message.content() instanceof Refusal refusal) {
      json.put("error", refusal.error());
    }
    return json;
  }

  private static void chunks(JsonObject json, Chunks chunks) {
    JsonArray reads = new JsonArray();
    for (ReadChunk chunk : chunks.lists().readChunks()) {
      reads.add(new JsonObject().put("position", Integer.toUnsignedLong(chunk.position()))
          .put("segments", segments(chunk.segments())));
    }
    JsonArray writes = new JsonArray();
    for (Chunk chunk : chunks.lists().writeChunks()) {
      writes.add(segments(chunk.segments()));
    }
    json.put("readChunks", reads).put("writeChunks", writes);
    chunks.lists().replyChunk().ifPresent(chunk -> json.put("replyChunk", segments(chunk.segments())));
  }

  private static JsonArray segments(List<Segment> segments) {
    JsonArray array = new JsonArray();
    for (Segment segment : segments) {
      array.add(new JsonObject().put("handle", RpcText.hex(segment.handle()))
          .put("length", segment.unsignedLength()).put("offset", "0x" + Long.toHexString(segment.offset())));
    }
    return array;
  }

  /** The head of the RPC message that stands in a Send. */
  static Optional<JsonObject> head(RpcRdmaMessage message) {
    return message.content() instanceof Chunks chunks ? chunks.rpc().map(RpcJson::rpc) : Optional.empty();
  }

  /** The head of an RPC message, from its XID on, with the msg_type at least. */
  static JsonObject rpc(ByteBuffer payload) {
    try {
      return payload.getInt(Integer.BYTES) == OncRpc.CALL ? call(CallHeader.decode(new XdrReader(payload)))
          : reply(ReplyHeader.decode(new XdrReader(payload)));
    } catch (XdrException e) {
      return new JsonObject().put("malformed", e.getMessage());
    }
  }

  private static JsonObject call(CallHeader call) {
    if (call.rpcVersion() != OncRpc.RPC_VERSION) {
      return new JsonObject().put("malformed", RpcText.otherVersion(call));
    }
    return new JsonObject().put("type", "call").put("xid", RpcText.hex(call.xid()))
        .put("program", Integer.toUnsignedLong(call.program()))
        .put("version", Integer.toUnsignedLong(call.version()))
        .put("procedure", Integer.toUnsignedLong(call.procedure()))
        .put("flavor", Integer.toUnsignedLong(call.credential().flavor()));
  }

  private static JsonObject reply(ReplyHeader reply) {
    return new JsonObject().put("type", "reply").put("xid", RpcText.hex(reply.xid()))
        .put("status", RpcText.outcome(reply));
  }
}
