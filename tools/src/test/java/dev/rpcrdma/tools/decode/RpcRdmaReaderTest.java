// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.decode;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.oncrpc.AuthStatus;
import dev.rpcrdma.protocol.oncrpc.CallHeader;
import dev.rpcrdma.protocol.oncrpc.OncRpc;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.wire.Chunk;
import dev.rpcrdma.protocol.wire.ChunkLists;
import dev.rpcrdma.protocol.wire.CmPrivateData;
import dev.rpcrdma.protocol.wire.Features;
import dev.rpcrdma.protocol.wire.InstanceId;
import dev.rpcrdma.protocol.wire.RawHeader;
import dev.rpcrdma.protocol.wire.ReadChunk;
import dev.rpcrdma.protocol.wire.Segment;
import dev.rpcrdma.protocol.wire.SessionBlock;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import dev.rpcrdma.tools.decode.message.OpenCalls;
import dev.rpcrdma.verbs.capture.read.Conversation;
import io.vertx.core.json.JsonObject;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Each kind of message as text and as JSON, cut at its bounds. */
@DisplayName("Messages of RPC-over-RDMA, as they are shown")
final class RpcRdmaReaderTest {

  private static final int XID = 0x0102A0FF;
  private static final String HEAD = "XID 0x0102a0ff, ";

  private final RpcRdmaReader reader = new RpcRdmaReader(new Conversation(1, new InetSocketAddress("10.0.0.1", 1),
      new InetSocketAddress("10.0.0.2", 2)), new OpenCalls<>());

  private static ByteBuffer message(int procedure, byte... rest) {
    return ByteBuffer.allocate(RawHeader.LENGTH + rest.length).putInt(XID).putInt(RawHeader.VERSION).putInt(-2)
        .putInt(procedure).put(rest).flip();
  }

  private static byte[] joined(ChunkLists lists, byte... payload) {
    ByteBuffer bytes = ByteBuffer.allocate(lists.encodedLength() + payload.length);
    lists.write(bytes);
    return bytes.put(payload).array();
  }

  private RpcRdmaMessage read(boolean fromOpener, int procedure, byte... rest) {
    return reader.read(fromOpener, message(procedure, rest)).orElseThrow();
  }

  private List<String> text(boolean fromOpener, int procedure, byte... rest) {
    return RpcText.message(read(fromOpener, procedure, rest));
  }

  private static byte[] ints(int... values) {
    ByteBuffer bytes = ByteBuffer.allocate(4 * values.length);
    for (int value : values) {
      bytes.putInt(value);
    }
    return bytes.array();
  }

  private static JsonObject json(String procedure) {
    return new JsonObject().put("xid", "0x0102a0ff").put("procedure", procedure).put("credits", 0xFFFFFFFEL);
  }

  @Test
  @DisplayName("Messages of 16 bytes: RDMA_DONE, and one that nobody sends any more")
  void shortest() {
    assertThat(text(true, RawHeader.RDMA_DONE)).containsExactly(HEAD + "RDMA_DONE, credits 4294967294: a reply is done "
        + "with");
    assertThat(RpcJson.message(read(true, RawHeader.RDMA_DONE))).isEqualTo(json("RDMA_DONE"));
    assertThat(text(true, RawHeader.RDMA_MSGP)).containsExactly(HEAD + "RDMA_MSGP, credits 4294967294");
    assertThat(RpcJson.head(read(true, RawHeader.RDMA_DONE))).isEmpty();
  }

  @Test
  @DisplayName("What is shorter, of another version or of a procedure that there is not is something else")
  void others() {
    assertThat(reader.read(true, message(RawHeader.RDMA_DONE).limit(15))).isEmpty();
    assertThat(reader.read(true, message(RawHeader.RDMA_DONE).putInt(4, 2))).isEmpty();
    assertThat(reader.read(true, message(5))).isEmpty();
    assertThat(reader.read(true, message(-1))).isEmpty();
  }

  @Test
  @DisplayName("Errors, whole and cut short")
  void errors() {
    String error = HEAD + "RDMA_ERROR, credits 4294967294, ";
    assertThat(text(false, RawHeader.RDMA_ERROR, ints(RawHeader.ERR_VERS, 1, 2))).containsExactly(error
        + "ERR_VERS 1 to 2");
    assertThat(text(false, RawHeader.RDMA_ERROR, ints(RawHeader.ERR_VERS, 1))).containsExactly(error + "error 1");
    assertThat(text(false, RawHeader.RDMA_ERROR, ints(RawHeader.ERR_CHUNK))).containsExactly(error + "ERR_CHUNK");
    assertThat(text(false, RawHeader.RDMA_ERROR, ints(-1, 0, 0))).containsExactly(error + "error 4294967295");
    assertThat(text(false, RawHeader.RDMA_ERROR, new byte[3])).containsExactly(error + "cut short");
    assertThat(RpcJson.message(read(false, RawHeader.RDMA_ERROR, ints(RawHeader.ERR_CHUNK))))
        .isEqualTo(json("RDMA_ERROR").put("error", "ERR_CHUNK"));
  }

  @Test
  @DisplayName("Chunk lists that nobody can read")
  void malformed() {
    assertThat(text(true, RawHeader.RDMA_MSG, ints(7))).singleElement().asString()
        .startsWith(HEAD + "RDMA_MSG, credits 4294967294, malformed: ");
    assertThat(RpcJson.message(read(true, RawHeader.RDMA_MSG, ints(7))).getString("malformed")).isNotEmpty();
  }

  @Test
  @DisplayName("A call with all kinds of chunks, and the reply to it")
  void callAndReply() {
    Segment segment = new Segment(0xA9F33E01, 100, -16);
    ChunkLists lists = new ChunkLists(List.of(new ReadChunk(40, List.of(segment))),
        List.of(new Chunk(List.of()), new Chunk(List.of(segment, segment))), Optional.of(new Chunk(List.of(segment))));
    XdrWriter call = new XdrWriter();
    new CallHeader(XID, 2, -2, -3, -4, OpaqueAuth.NONE, OpaqueAuth.NONE).encode(call);
    String bytes = "100 bytes of 0xa9f33e01 at 0xfffffffffffffff0";
    byte[] whole = joined(lists, call.toByteArray());
    assertThat(text(true, RawHeader.RDMA_MSG, whole)).containsExactly(HEAD + "RDMA_MSG, credits 4294967294",
        "Read chunk at position 40: " + bytes, "Write chunk: empty", "Write chunk: " + bytes + "; " + bytes,
        "Reply chunk: " + bytes, rpcOf(call));
    JsonObject json = RpcJson.message(read(true, RawHeader.RDMA_MSG, whole));
    assertThat(json.getString("type")).isEqualTo("call");
    assertThat(json.getBoolean("pulled")).isFalse();
    assertThat(json.getJsonArray("writeChunks")).hasSize(2);
    XdrWriter reply = new XdrWriter();
    new ReplyHeader.Accepted(XID, OpaqueAuth.NONE, AcceptStatus.PROG_UNAVAIL, 0, 0).encode(reply);
    RpcRdmaMessage answer = read(false, RawHeader.RDMA_MSG, joined(ChunkLists.EMPTY, reply.toByteArray()));
    assertThat(RpcText.message(answer)).containsExactly(HEAD + "RDMA_MSG, credits 4294967294",
        "RPC reply, XID 0x0102a0ff, PROG_UNAVAIL");
    assertThat(RpcJson.message(answer).getString("type")).isEqualTo("reply");
    assertThat(RpcJson.head(answer)).contains(new JsonObject().put("type", "reply").put("xid", "0x0102a0ff")
        .put("status", "PROG_UNAVAIL"));
  }

  private static String rpcOf(XdrWriter call) {
    String text = RpcText.rpc(ByteBuffer.wrap(call.toByteArray()));
    assertThat(text).isEqualTo("RPC call, XID 0x0102a0ff, program 4294967294 (0xfffffffe), version 4294967293, "
        + "procedure 4294967292, credential of flavor 0");
    return text;
  }

  /** Fails if {@code RpcRdmaReader.called} does not know which side waits for which reply, or for how long. */
  @Test
  @DisplayName("What has to be pulled is a reply if the other side has called, once; else it is a Long call")
  void pulled() {
    byte[] positionZero = joined(new ChunkLists(List.of(new ReadChunk(0, List.of(new Segment(1, 100, 0)))), List.of(),
        Optional.empty()));
    String line = HEAD + "RDMA_NOMSG, credits 4294967294: ";
    assertThat(text(true, RawHeader.RDMA_NOMSG, positionZero)).first().isEqualTo(line + "a Long call");
    assertThat(text(true, RawHeader.RDMA_NOMSG, positionZero)).first().isEqualTo(line + "a Long call");
    RpcRdmaMessage reply = read(false, RawHeader.RDMA_NOMSG, positionZero);
    assertThat(RpcText.message(reply)).first().isEqualTo(line + "a reply to be pulled");
    assertThat(RpcJson.message(reply).getBoolean("pulled")).isTrue();
    assertThat(text(false, RawHeader.RDMA_NOMSG, positionZero)).first().isEqualTo(line + "a Long call");
    byte[] head = ints(XID, 0);
    RpcRdmaMessage call = read(true, RawHeader.RDMA_MSG, joined(ChunkLists.EMPTY, head));
    boolean answers = ((RpcRdmaMessage.Chunks) call.content()).reply();
    assertThat(answers).as("a head says by itself that it is a call").isFalse();
    assertThat(RpcText.message(call)).last().asString().startsWith("RPC message of 8 bytes: ");
  }

  @Test
  @DisplayName("Replies that refuse, and bytes that are no head")
  void refusals() {
    XdrWriter denied = new XdrWriter();
    new ReplyHeader.AuthError(XID, AuthStatus.RPCSEC_GSS_CREDPROBLEM).encode(denied);
    assertThat(RpcText.rpc(ByteBuffer.wrap(denied.toByteArray())))
        .isEqualTo("RPC reply, XID 0x0102a0ff, AUTH_ERROR RPCSEC_GSS_CREDPROBLEM");
    XdrWriter mismatch = new XdrWriter();
    new ReplyHeader.RpcMismatch(XID, 2, 2).encode(mismatch);
    assertThat(RpcText.rpc(ByteBuffer.wrap(mismatch.toByteArray()))).isEqualTo("RPC reply, XID 0x0102a0ff, "
        + "RPC_MISMATCH");
    assertThat(RpcJson.rpc(ByteBuffer.wrap(ints(XID, 0))).getString("malformed")).isNotEmpty();
  }

  /** Fails if {@code RpcText.call} or {@code RpcJson.call} shows what {@code CallHeader.decode} has not read. */
  @Test
  @DisplayName("A call of another RPC version, of which nothing more is known")
  void otherVersion() {
    ByteBuffer call = ByteBuffer.wrap(ints(XID, OncRpc.CALL, 3, 100_003, 3, 0));
    assertThat(RpcText.rpc(call)).isEqualTo("RPC call, XID 0x0102a0ff, of RPC version 3");
    assertThat(RpcJson.rpc(call)).isEqualTo(new JsonObject().put("malformed", "of RPC version 3"));
  }

  @Test
  @DisplayName("What a side tells of itself, each part of it")
  void startup() {
    byte[] plain = new CmPrivateData(false, 4096, 8192).toByteArray();
    byte[] copes = new CmPrivateData(true, 1024, 1024).toByteArray();
    assertThat(RpcText.startup(ByteBuffer.wrap(plain)))
        .containsExactly("RPC-over-RDMA: sends up to 4096, receives up to 8192 bytes inline");
    assertThat(RpcText.startup(ByteBuffer.wrap(copes))).containsExactly(
        "RPC-over-RDMA: sends up to 1024, receives up to 1024 bytes inline, copes with remote invalidation");
    String remembers = "vertx-rpcrdma: remembers calls by 8 slots";
    assertThat(startup(Features.NONE)).containsExactly(remembers);
    assertThat(startup(new Features(true, false, false, false))).containsExactly(remembers + ", pulls replies");
    assertThat(startup(new Features(false, true, false, false)))
        .containsExactly(remembers + ", provides replies to be pulled");
    assertThat(startup(new Features(false, false, true, false)))
        .containsExactly(remembers + ", takes RDMA_DONE that invalidates");
    JsonObject json = RpcJson.startup(ByteBuffer.wrap(plain));
    assertThat(json.getInteger("length")).isEqualTo(8);
    assertThat(json.getJsonArray("text")).hasSize(1);
  }

  private static List<String> startup(Features features) {
    return RpcText.startup(ByteBuffer.wrap(
        new SessionBlock(3, new InstanceId(1, 2), Optional.empty(), 1, features).toByteArray()));
  }
}
