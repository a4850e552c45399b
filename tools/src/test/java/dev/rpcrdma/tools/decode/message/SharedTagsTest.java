// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.decode.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.protocol.oncrpc.OncRpc;
import dev.rpcrdma.protocol.wire.Chunk;
import dev.rpcrdma.protocol.wire.ChunkLists;
import dev.rpcrdma.protocol.wire.RawHeader;
import dev.rpcrdma.protocol.wire.ReadChunk;
import dev.rpcrdma.protocol.wire.Segment;
import dev.rpcrdma.verbs.capture.DecodedUnit;
import dev.rpcrdma.verbs.capture.DecodedUnit.Kind;
import dev.rpcrdma.verbs.capture.read.Conversation;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A peer that has one steering tag for all of its memory, as those have that register it once. */
@DisplayName("One steering tag for several chunks")
final class SharedTagsTest {

  private final List<String> unreadable = new ArrayList<>();
  private final ChunkedMessages messages = new ChunkedMessages(new Conversation(1, new InetSocketAddress("10.0.0.1", 1),
      new InetSocketAddress("10.0.0.2", 2)), new MessageRoom(), (message, why) -> unreadable.add(why), (message, why) -> { });
  private long frame;

  private Optional<RpcMessage> send(boolean fromOpener, int xid, int procedure, ChunkLists lists, byte... payload) {
    ByteBuffer bytes = ByteBuffer.allocate(RawHeader.LENGTH + lists.encodedLength() + payload.length).putInt(xid)
        .putInt(RawHeader.VERSION).putInt(1).putInt(procedure);
    lists.write(bytes);
    return messages.take(new DecodedUnit(Kind.MESSAGE, ++frame, fromOpener, "", bytes.put(payload).flip()));
  }

  private Optional<RpcMessage> data(Kind kind, boolean fromOpener, int tag, long address, byte[] bytes) {
    return messages.take(new DecodedUnit(kind, ++frame, fromOpener, "", ByteBuffer.wrap(bytes), tag, address));
  }

  private static byte[] rpc(int xid, int type) {
    return ByteBuffer.allocate(100).putInt(xid).putInt(type).array();
  }

  private static ChunkLists longCall(Segment segment) {
    return new ChunkLists(List.of(new ReadChunk(0, List.of(segment))), List.of(), Optional.empty());
  }

  private static ChunkLists replyChunk(Segment segment) {
    return new ChunkLists(List.of(), List.of(), Optional.of(new Chunk(List.of(segment))));
  }

  @Test
  @DisplayName("Two Long calls at different addresses of one tag are both put together")
  void longCalls() {
    send(true, 1, RawHeader.RDMA_NOMSG, longCall(new Segment(9, 100, 1000)));
    send(true, 2, RawHeader.RDMA_NOMSG, longCall(new Segment(9, 100, 5000)));
    assertThat(data(Kind.READ, true, 9, 5000, rpc(2, OncRpc.CALL))).isPresent();
    assertThat(data(Kind.READ, true, 9, 1000, rpc(1, OncRpc.CALL))).as("the first").isPresent();
  }

  @Test
  @DisplayName("Two Reply chunks at different addresses of one tag")
  void replies() {
    send(true, 1, RawHeader.RDMA_MSG, replyChunk(new Segment(9, 100, 1000)), rpc(1, OncRpc.CALL));
    send(true, 2, RawHeader.RDMA_MSG, replyChunk(new Segment(9, 100, 5000)), rpc(2, OncRpc.CALL));
    data(Kind.WRITTEN, false, 9, 1000, rpc(1, OncRpc.REPLY));
    data(Kind.WRITTEN, false, 9, 5000, rpc(2, OncRpc.REPLY));
    assertThat(send(false, 2, RawHeader.RDMA_NOMSG, replyChunk(new Segment(9, 100, 5000))).orElseThrow().bytes()
        .remaining()).isEqualTo(100);
    assertThat(send(false, 1, RawHeader.RDMA_NOMSG, replyChunk(new Segment(9, 100, 1000))).orElseThrow().bytes()
        .remaining()).as("the first").isEqualTo(100);
  }

  /** Fails if {@code ChunkedMessages.message} takes an RDMA_ERROR for one about a call of its sender. */
  @Test
  @DisplayName("An error about one side's call leaves the Long call of the same XID of the other side")
  void errorOfTheOtherDirection() {
    send(true, 1, RawHeader.RDMA_NOMSG, longCall(new Segment(9, 100, 1000)));
    send(false, 1, RawHeader.RDMA_NOMSG, longCall(new Segment(9, 100, 5000)));
    send(false, 1, RawHeader.RDMA_ERROR, ChunkLists.EMPTY);
    assertThat(data(Kind.READ, true, 9, 1000, rpc(1, OncRpc.CALL))).as("refused").isEmpty();
    assertThat(data(Kind.READ, false, 9, 5000, rpc(1, OncRpc.CALL))).isPresent();
  }
}
