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

/** Replies that are to be pulled, and of which the client is done before they are whole. */
@DisplayName("Replies to be pulled in captures")
final class UnpulledRepliesTest {

  private final MessageRoom room = new MessageRoom();
  private final List<String> told = new ArrayList<>();
  private final ChunkedMessages messages = new ChunkedMessages(new Conversation(1,
      new InetSocketAddress("10.0.0.1", 1), new InetSocketAddress("10.0.0.2", 2)), room,
      (message, why) -> told.add(message.frame() + ": " + why), (message, why) -> told.add(message.frame() + ": " + why));
  private long frame;

  private Optional<RpcMessage> send(boolean fromOpener, int xid, int procedure, ChunkLists lists, byte... payload) {
    int length = procedure == RawHeader.RDMA_DONE ? 0 : lists.encodedLength();
    ByteBuffer bytes = ByteBuffer.allocate(RawHeader.LENGTH + length + payload.length).putInt(xid)
        .putInt(RawHeader.VERSION).putInt(1).putInt(procedure);
    if (length > 0) {
      lists.write(bytes);
    }
    return messages.take(new DecodedUnit(Kind.MESSAGE, ++frame, fromOpener, "", bytes.put(payload).flip()));
  }

  private static byte[] call(int xid) {
    return ByteBuffer.allocate(8).putInt(xid).putInt(OncRpc.CALL).array();
  }

  /**
   * Fails if {@code ChunkedMessages.message} passes over RDMA_DONE: the steering tag in the reply's transport header was
   * changed, so that the Reads that pull it, of tag 5, are nobody's.
   */
  @Test
  @DisplayName("R-332: a reply that its client has pulled, by another tag than its header has, does not vanish")
  void changedTag() {
    ChunkLists changed = new ChunkLists(List.of(new ReadChunk(0, List.of(new Segment(4, 100, 0)))), List.of(),
        Optional.empty());
    send(true, 7, RawHeader.RDMA_MSG, ChunkLists.EMPTY, call(7));
    send(false, 7, RawHeader.RDMA_NOMSG, changed);
    ByteBuffer reply = ByteBuffer.allocate(100).putInt(0, 7).putInt(4, OncRpc.REPLY);
    assertThat(messages.take(new DecodedUnit(Kind.READ, ++frame, false, "", reply, 5, 0))).isEmpty();
    send(true, 7, RawHeader.RDMA_DONE, ChunkLists.EMPTY);
    assertThat(told.size() + room.forgotten()).as("told as wrong, or as not judged").isPositive();
    assertThat(room.bytes()).as("memory for a reply that is done with").isZero();
  }

  /**
   * Fails if {@code ChunkedMessages.noMessage} leaves the call's Reply chunk where its reply is pulled, and takes the
   * empty one of the reply (extensions.md) for one that the server offers: 131,072 such calls of a connection fill the
   * room.
   */
  @Test
  @DisplayName("A call's Reply chunk ends with its reply, also with one that is pulled")
  void replyChunkOfPulled() {
    Chunk chunk = new Chunk(List.of(new Segment(4, 100, 0)));
    ChunkLists offered = new ChunkLists(List.of(), List.of(), Optional.of(chunk));
    ChunkLists pulled = new ChunkLists(List.of(new ReadChunk(0, List.of(new Segment(5, 100, 0)))), List.of(),
        Optional.of(new Chunk(List.of(new Segment(4, 0, 0)))));
    send(true, 7, RawHeader.RDMA_MSG, offered, call(7));
    send(false, 7, RawHeader.RDMA_NOMSG, pulled);
    ByteBuffer reply = ByteBuffer.allocate(100).putInt(0, 7).putInt(4, OncRpc.REPLY);
    assertThat(messages.take(new DecodedUnit(Kind.READ, ++frame, false, "", reply, 5, 0))).isPresent();
    send(true, 7, RawHeader.RDMA_DONE, ChunkLists.EMPTY);
    assertThat(room.bytes()).isZero();
  }

  /** Fails if {@code ChunkedMessages.pulled} counts no Write chunks of a reply that is pulled. */
  @Test
  @DisplayName("R-332: a reply that is pulled may have written data, which is apart")
  void writtenApart() {
    ChunkLists pulled = new ChunkLists(List.of(new ReadChunk(0, List.of(new Segment(5, 100, 0)))),
        List.of(new Chunk(List.of(new Segment(6, 300, 0)))), Optional.empty());
    send(true, 7, RawHeader.RDMA_MSG, ChunkLists.EMPTY, call(7));
    send(false, 7, RawHeader.RDMA_NOMSG, pulled);
    ByteBuffer reply = ByteBuffer.allocate(100).putInt(0, 7).putInt(4, OncRpc.REPLY);
    assertThat(messages.take(new DecodedUnit(Kind.READ, ++frame, false, "", reply, 5, 0)).orElseThrow().apart())
        .isEqualTo(300);
  }
}
